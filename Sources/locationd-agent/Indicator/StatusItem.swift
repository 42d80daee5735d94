import DBus
import LocationModel

/// The indicator's objects, by the specification of StatusNotifierItem and com.canonical.dbusmenu.
enum StatusItem {
  static let path = "/StatusNotifierItem"
  static let menuPath = "/StatusNotifierItem/Menu"
  static let name = "org.kde.StatusNotifierItem"
  static let menuName = "com.canonical.dbusmenu"
  private static let icon = "mark-location-symbolic"
  /// More than a person clicks at once.
  private static let mostEvents = 16
  private static let noPixmap = BusValue.array(of: "(iiay)", [])

  static let interface = BusInterface(
    name,
    methods: ["ContextMenu", "Activate", "SecondaryActivate"].map {
      BusMethod($0, in: [.init("x", "i"), .init("y", "i")]) { (_: Indicator, _) in [] }
    } + [
      BusMethod("Scroll", in: [.init("delta", "i"), .init("orientation", "s")]) {
        (_: Indicator, _) in []
      }
    ],
    properties: [
      BusProperty("Category", "s", .constant) { (_: Indicator) in .string("SystemServices") },
      BusProperty("Id", "s", .constant) { (_: Indicator) in .string("locationd") },
      BusProperty("Title", "s", .untold) { (indicator: Indicator) in
        .string(indicator.menu.title)
      },
      BusProperty("Status", "s", .untold) { (indicator: Indicator) in
        .string(indicator.menu.isEmpty ? "Passive" : "Active")
      },
      BusProperty("WindowId", "i", .constant) { (_: Indicator) in .int32(0) },
      BusProperty("IconName", "s", .constant) { (_: Indicator) in .string(icon) },
      BusProperty("IconPixmap", "a(iiay)", .constant) { (_: Indicator) in noPixmap },
      BusProperty("ToolTip", "(sa(iiay)ss)", .untold) { (indicator: Indicator) in
        .structure([.string(icon), noPixmap, .string(indicator.menu.title.markup), .string("")])
      },
      BusProperty("ItemIsMenu", "b", .constant) { (_: Indicator) in .bool(true) },
      BusProperty("Menu", "o", .constant) { (_: Indicator) in .path(menuPath) },
    ],
    signals: [.init("NewTitle"), .init("NewToolTip")])

  static let menu = BusInterface(
    menuName,
    methods: [
      BusMethod(
        "GetLayout",
        in: [.init("parentId", "i"), .init("recursionDepth", "i"), .init("propertyNames", "as")],
        out: [.init("revision", "u"), .init("layout", "(ia{sv}av)")]
      ) { (indicator: Indicator, call) throws(BusError) in
        guard let layout = indicator.menu.layout(of: call.arguments[0].asInt32 ?? 0) else {
          throw .failed("no such entry")
        }
        return [.uint32(indicator.revision), layout]
      },
      BusMethod(
        "GetGroupProperties", in: [.init("ids", "ai"), .init("propertyNames", "as")],
        out: [.init("properties", "a(ia{sv})")]
      ) { (indicator: Indicator, call) in
        let ids = (call.arguments[0].asArray ?? []).compactMap(\.asInt32)
        return [.array(of: "(ia{sv})", indicator.menu.properties(of: ids))]
      },
      BusMethod(
        "Event",
        in: [.init("id", "i"), .init("eventId", "s"), .init("data", "v"), .init("timestamp", "u")]
      ) { (indicator: Indicator, call) in
        if call.arguments[1].asString == "clicked", let id = call.arguments[0].asInt32 {
          indicator.choose(id)
        }
        return []
      },
      // Panels that use libdbusmenu tell clicks so, of a menu of version 3.
      BusMethod(
        "EventGroup", in: [.init("events", "a(isvu)")], out: [.init("idErrors", "ai")]
      ) { (indicator: Indicator, call) in
        for event in (call.arguments[0].asArray ?? []).prefix(mostEvents) {
          guard case .structure(let parts) = event, parts.count == 4,
            parts[1].asString == "clicked", let id = parts[0].asInt32
          else { continue }
          indicator.choose(id)
        }
        return [.array(of: "i", [])]
      },
      BusMethod("AboutToShow", in: [.init("id", "i")], out: [.init("needUpdate", "b")]) {
        (_: Indicator, _) in [.bool(false)]
      },
      BusMethod(
        "AboutToShowGroup", in: [.init("ids", "ai")],
        out: [.init("updatesNeeded", "ai"), .init("idErrors", "ai")]
      ) { (_: Indicator, _) in [.array(of: "i", []), .array(of: "i", [])] },
      BusMethod(
        "GetProperty", in: [.init("id", "i"), .init("name", "s")], out: [.init("value", "v")]
      ) { (indicator: Indicator, call) throws(BusError) in
        let (id, name) = (call.arguments[0].asInt32 ?? 0, call.arguments[1].asString ?? "")
        guard case .structure(let entry)? = indicator.menu.properties(of: [id]).first,
          let value = entry.last?.asDictionary?[name]
        else { throw .failed("no such property") }
        return [.variant(value)]
      },
    ],
    properties: [
      BusProperty("Version", "u", .constant) { (_: Indicator) in .uint32(3) },
      BusProperty("Status", "s", .constant) { (_: Indicator) in .string("normal") },
      BusProperty("TextDirection", "s", .constant) { (_: Indicator) in .string("ltr") },
    ],
    signals: [
      .init("LayoutUpdated", [.init("revision", "u"), .init("parent", "i")])
    ])
}

extension BusValue {
  fileprivate var asInt32: Int32? { if case .int32(let value) = self { value } else { nil } }
}
