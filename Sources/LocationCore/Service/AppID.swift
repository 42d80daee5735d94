/// One app of one user: whom a permission and a registration belong to.
package struct AppID: Hashable, Sendable {
  package var uid: UInt32
  package var app: String

  package init(uid: UInt32, app: String) {
    self.uid = uid
    self.app = app
  }
}
