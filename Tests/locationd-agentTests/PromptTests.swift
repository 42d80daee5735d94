import Console
import DBus
import LocationModel
import Testing

@testable import locationd_agent

/// A desktop that takes its time: what it is asked is answered when the test says so.
private final class SlowDesktop {
  static let portal = "org.freedesktop.impl.portal.desktop.gtk"
  static let notifications = "org.freedesktop.Notifications"

  var dialogs: [BusInvocation] = []
  var notices: [BusInvocation] = []
  var closed: [UInt32] = []
  private let connection: BusConnection
  private var names: [BusName] = []
  private var objects: [BusObject] = []

  private static let access = BusInterface(
    "org.freedesktop.impl.portal.Access",
    methods: [
      BusMethod(
        "AccessDialog",
        in: ["o", "s", "s", "s", "s", "s", "a{sv}"].map { .init("a", $0) },
        out: [.init("response", "u"), .init("results", "a{sv}")]
      ) { (desktop: SlowDesktop, call) in
        desktop.dialogs.append(call)
        return nil
      }
    ])

  private static let request = BusInterface(
    "org.freedesktop.impl.portal.Request",
    methods: [
      BusMethod("Close") { (desktop: SlowDesktop, _) in
        desktop.answerDialog()
        return []
      }
    ])

  private static let server = BusInterface(
    notifications,
    methods: [
      BusMethod("GetCapabilities", out: [.init("capabilities", "as")]) { (_: SlowDesktop, _) in
        [.strings(["actions", "body"])]
      },
      BusMethod(
        "Notify",
        in: ["s", "u", "s", "s", "s", "as", "a{sv}", "i"].map { .init("a", $0) },
        out: [.init("id", "u")]
      ) { (desktop: SlowDesktop, call) in
        desktop.notices.append(call)
        return nil
      },
      BusMethod("CloseNotification", in: [.init("id", "u")]) { (desktop: SlowDesktop, call) in
        desktop.closed.append(call.arguments[0].asUInt32 ?? 0)
        return []
      },
    ])

  init(_ session: SessionBus) throws {
    connection = try session.connect()
    try export("/org/freedesktop/portal/desktop", Self.access)
    try export("/org/freedesktop/Notifications", Self.server)
    for name in [Self.portal, Self.notifications] {
      var isOwned = false
      names.append(try connection.own(name) { isOwned = $0 == .owned })
      try session.wait(name) { isOwned }
    }
  }

  func export(_ path: String, _ interface: BusInterface) throws {
    let object = BusObject(path, target: self, [interface])
    objects.append(object)
    try connection.export(object)
  }

  /// From here on it knows of the dialog.
  func show(_ number: Int64) throws {
    try export("/org/freedesktop/portal/desktop/request/locationd/question\(number)", Self.request)
  }

  func answerDialog() {
    for dialog in dialogs { dialog.answer([.uint32(2), .dictionary([:])]) }
    dialogs = []
  }
}

@Suite("What a person sees of a question") struct PromptTests {
  private let wording = Wording(
    AgentQuestion(
      number: 7, app: "app:a.b", uid: 1000, pid: 1, level: .whenInUse, current: .notDetermined,
      purpose: nil), in: .english)

  @Test("a dialog that is closed before it is shown is closed as soon as it is")
  func dialog() throws {
    let session = try SessionBus()
    let desktop = try SlowDesktop(session)
    let agent = try session.connect()
    var outcomes = 0
    var prompt: PortalPrompt? = PortalPrompt(wording, by: SlowDesktop.portal, on: agent) { _ in
      outcomes += 1
    }
    try session.wait("the dialog") { desktop.dialogs.count == 1 }
    prompt?.close()
    weak let left = prompt
    prompt = nil
    #expect(left != nil)
    try desktop.show(7)
    try session.wait("the end of the dialog") { desktop.dialogs.isEmpty }
    try session.wait("the end of the prompt") { left == nil }
    #expect(outcomes == 0)
  }

  @Test("a notification that is closed before it has a number is closed as soon as it has")
  func notification() throws {
    let session = try SessionBus()
    let desktop = try SlowDesktop(session)
    let agent = try session.connect()
    var prompt: NotificationPrompt? = NotificationPrompt(wording, on: agent) { _ in }
    try session.wait("the notification") { desktop.notices.count == 1 }
    prompt?.close()
    prompt = nil
    desktop.notices[0].answer([.uint32(5)])
    try session.wait("its end") { desktop.closed == [5] }
  }
}
