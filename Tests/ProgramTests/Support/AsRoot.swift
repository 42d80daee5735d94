import TestSupport
import Testing

extension AsRoot {
  /// Root makes control groups here: nothing has to be run again.
  static let makesCgroups = isInside || isRoot && Cgroup.roots[.unified] != nil
}

extension Trait where Self == AsRootTrait {
  static var asRootWithCgroups: AsRootTrait { AsRootTrait(isHere: AsRoot.makesCgroups) }

  static func asRoot(unless isHere: Bool) -> AsRootTrait {
    AsRootTrait(isHere: isHere || AsRoot.makesCgroups)
  }

  /// Also where systemd has no hierarchy of its own.
  static var asRootWithOldHierarchy: AsRootTrait {
    AsRootTrait(isHere: AsRoot.isInside || AsRoot.makesCgroups && Cgroup.roots[.named] != nil)
  }
}
