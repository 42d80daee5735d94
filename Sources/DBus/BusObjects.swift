/// Something that can be called: a path, what it answers for, and whose it is.
package final class BusObject {
  package let path: String
  /// The unique name of the one who may use it and know of it; nil for everyone.
  package let owner: String?
  /// The object that answers; it keeps this entry, not the other way round.
  private(set) weak var target: AnyObject?
  let interfaces: [BusInterface]

  package init(
    _ path: String, owner: String? = nil, target: AnyObject, _ interfaces: [BusInterface]
  ) {
    self.path = path
    self.owner = owner
    self.target = target
    self.interfaces = interfaces
  }

  /// The target, which stays until it has answered.
  func answering() throws(BusError) -> AnyObject {
    guard let target else { throw .unknownObject(path) }
    return target
  }

  func isVisible(to sender: String) -> Bool { owner == nil || owner == sender }

  func interface(_ name: String) throws(BusError) -> BusInterface {
    guard let found = interfaces.first(where: { $0.name == name }) else {
      throw .unknownInterface(name)
    }
    return found
  }
}

/// Objects right below a path that are made when they are called, since most never are, each its
/// caller's own.
package final class BusFolder {
  /// Gives who answers.
  package typealias Find = (_ name: Substring, _ sender: String) -> AnyObject?

  package let path: String
  private let interfaces: [BusInterface]
  private let find: Find

  package init(_ path: String, _ interfaces: [BusInterface], find: @escaping Find) {
    self.path = path
    self.interfaces = interfaces
    self.find = find
  }

  fileprivate func object(at path: String, _ name: Substring, for sender: String) -> BusObject? {
    find(name, sender).map { BusObject(path, owner: sender, target: $0, interfaces) }
  }
}

/// All that can be called, by path.
final class BusObjects {
  var byPath: [String: BusObject] = [:]
  var folders: [String: BusFolder] = [:]

  /// As the caller may know: what is somebody else's is not there for them.
  func object(at path: String, for sender: String) -> BusObject? {
    let object = byPath[path] ?? objectInFolder(path, for: sender)
    return object.flatMap { $0.isVisible(to: sender) ? $0 : nil }
  }

  private func objectInFolder(_ path: String, for sender: String) -> BusObject? {
    guard !folders.isEmpty, let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    else { return nil }
    let name = path[path.index(after: slash)...]
    return folders[String(path[..<slash])]?.object(at: path, name, for: sender)
  }

  /// The names of the nodes right below a path, as far as the caller may know.
  func children(of path: String, for sender: String) -> [String] {
    let prefix = path == "/" ? "/" : path + "/"
    var names: Set<String> = []
    for object in byPath.values
    where object.path.hasPrefix(prefix) && object.path != path && object.isVisible(to: sender) {
      names.insert(String(object.path.dropFirst(prefix.count).prefix { $0 != "/" }))
    }
    return names.sorted()
  }
}

extension BusConnection {
  /// There from now on, through restarts of the bus, until it is removed.
  package func export(_ object: BusObject) throws(BusError) {
    try BusSyntax.check(path: object.path)
    for interface in object.interfaces { try BusSyntax.check(interface: interface.name) }
    objects.byPath[object.path] = object
  }

  package func export(_ folder: BusFolder) throws(BusError) {
    try BusSyntax.check(path: folder.path)
    objects.folders[folder.path] = folder
  }

  package func remove(_ folder: BusFolder) {
    if objects.folders[folder.path] === folder { objects.folders[folder.path] = nil }
  }

  package func remove(_ object: BusObject) {
    if objects.byPath[object.path] === object { objects.byPath[object.path] = nil }
  }

  /// Tells of changed properties, each as its table says: to the object's owner, or to everyone.
  package func propertiesChanged(
    _ names: [String], of interface: String, on object: BusObject
  ) throws(BusError) {
    let table = try object.interface(interface)
    var values: [String: BusValue] = [:]
    var invalidated: [String] = []
    for name in names {
      guard let property = table.properties[name] else { throw .unknownProperty(name) }
      switch property.change {
      case .announced: values[name] = try property.get(object.answering())
      case .invalidated: invalidated.append(name)
      case .constant, .untold: break
      }
    }
    if values.isEmpty && invalidated.isEmpty { return }
    let signal = try BusSignal(
      BusStandard.properties, "PropertiesChanged",
      [.string(interface), .dictionary(values), .strings(invalidated)])
    send(signal, to: try BusRecipient(object.owner, of: object.path))
  }

  func answer(_ message: BusMessage) {
    do throws(BusError) {
      guard let call = try BusInvocation(message, on: self) else { return }
      do throws(BusError) {
        try BusDispatch.answer(call, message.signature, objects)
      } catch {
        call.refuse(error)
      }
    } catch {
      // Its arguments could not be read.
      guard message.wantsReply, let sender = message.sender else { return }
      refuse(message.serial, of: sender, because: error)
    }
  }
}
