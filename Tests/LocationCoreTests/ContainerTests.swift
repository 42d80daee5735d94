import LocationModel
import Testing

@testable import LocationCore

@Suite("Containers") struct ContainerTests {
  static let id = String(repeating: "0af3", count: 16)

  /// The groups of managers of containers, as their own documentation and today's versions have it.
  static let folders = [
    "/system.slice/docker-\(id).scope", "/docker/\(id)", "/docker/\(id)/init.scope",
    "/machine.slice/libpod-\(id).scope", "/machine.slice/libpod-\(id).scope/container",
    "/system.slice/web.service/libpod-payload-\(id)", "/libpod_parent/libpod-\(id)",
    "/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-\(id).scope/container",
    "/machine.slice/machine-box.scope/payload/system.slice/x.service",
    "/box.slice/machine-box.scope",
    "/machine.slice/systemd-nspawn@box.service/payload",
    "/x.slice/systemd-nspawn@box.service/payload",
    "/lxc.payload.box", "/lxc.payload.box/system.slice/x.service", "/lxc/box", "/lxc.payload/box",
    "/kubepods/burstable/pod0af3/\(id)",
    "/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod0af3.slice/"
      + "cri-containerd-\(id).scope",
    "/kubepods.slice/kubepods-pod0af3.slice/crio-\(id).scope",
    "/system.slice/containerd-\(id).scope", "/system.slice/runc-\(id).scope",
    "/system.slice/nerdctl-\(id).scope", "/machine.slice/machine-qemu\\x2d1\\x2dbox.scope",
  ]

  @Test("root in a container is a sandbox, told by its control group", arguments: folders)
  func folder(folder: String) {
    for uid in [0, 1000] as [UInt32] {
      let caller = IdentityTests.caller(in: folder, uid: uid, hasTerminal: true)
      #expect(caller.confinement == .sandbox)
      #expect(!caller.mayBeAgent)
      #expect(!caller.isTrusted(by: uid))
    }
    let old = "12:pids:\(folder)\n1:name=systemd:/\n0::/\n"
    #expect(IdentityTests.caller(cgroup: old, uid: 0).confinement == .sandbox)
  }

  @Test(
    "what only has such a name, or starts containers, is none",
    arguments: [
      "/system.slice/docker.service", "/system.slice/docker-registry.service",
      "/system.slice/containerd.service", "/system.slice/docker.socket", "/docker",
      "/machine.slice",
      "/system.slice/lxc-net.service", "/system.slice/machines.target",
      "/system.slice/podman.service",
      "/user.slice/user-1000.slice/user@1000.service/app.slice/app-docker-desktop-12.scope",
      "/user.slice/user-1000.slice/session-2.scope", "/dockerx/a",
      "/system.slice/systemd-machined.service",
    ])
  func none(folder: String) {
    #expect(IdentityTests.caller(in: folder, uid: 0).confinement == .none)
  }

  @Test("who is in the daemon's own container is not kept apart from it; one container more is")
  func ours() {
    let machine = Machine(hasSystemd: false, cgroup: Array("0::/docker/\(Self.id)/x\n".utf8))
    func confinement(_ folder: String) -> Caller.Confinement {
      IdentityTests.caller(in: folder, uid: 0, on: machine).confinement
    }
    #expect(confinement("/docker/\(Self.id)") == .none)
    #expect(confinement("/docker/\(Self.id)/system.slice/weather.service") == .none)
    #expect(confinement("/") == .none)
    #expect(confinement("/docker/0000") == .sandbox)
    #expect(confinement("/docker/\(Self.id)/docker/0000") == .sandbox)
  }

  @Test("root that has another number inside, or other users, is a sandbox, whatever it is in")
  func namespaces() {
    for folder in [
      "/", "/system.slice/weather.service", "/user.slice/user-0.slice/session-1.scope",
    ] {
      for (users, processes) in [(true, false), (false, true), (true, true)] {
        let caller = IdentityTests.caller(
          in: folder, uid: 0, hasOwnUsers: users, hasOwnProcesses: processes, hasTerminal: true)
        #expect(caller.confinement == .sandbox)
        #expect(!caller.mayBeAgent)
        #expect(!caller.isTrusted(by: 0))
      }
      #expect(IdentityTests.caller(in: folder, uid: 0).isTrusted(by: 0))
    }
  }

  @Test("root in a container administers nothing and is told nothing")
  func administration() {
    var harness = ServiceHarness()
    let boxed = ClientID(6)
    harness.handle(.connected(boxed, IdentityTests.caller(in: Self.folders[0], uid: 0)))
    for request in [
      Request.servicesSet(enabled: false), .permissionsReset(AppSelection()),
      .agentRegister, .agentStandBy,
    ] {
      #expect(harness.call(request, from: boxed).refusals.map(\.code) == [.denied])
    }
    #expect(harness.call(.permissionsList, from: boxed).appsShown == [])
    #expect(harness.call(.location, from: boxed).refusals.map(\.code) == [.denied])
  }
}
