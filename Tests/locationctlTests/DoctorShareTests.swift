import Console
import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

@testable import locationctl

extension DoctorTests {
  @Test(
    "locationd-share tells everyone somewhere, or lacks chronyd's socket: what to do")
  func share() throws {
    let unit = "/usr/lib/systemd/system/locationd-share.service"
    let files = try MachineFiles.well().add(unit).add(
      "/etc/locationd/share.conf",
      "[Share]\nNMEA=tcp:10110 udp:192.168.1.255:10110\nAllow=10.0.0.0/8\n#Chrony=/x\n")
    #expect(try troubles(files) == [])
    let examination = Examination(
      machine: Machine(root: files.root), clock: Self.today, status: status())
    let advice = examination.findings.filter { $0.kind == .advice }.map(\.text)
    #expect(advice.count == 2 && advice[0].contains("everyone who hears udp:192.168.1.255:10110"))
    #expect(advice[1].contains("every program in 10.0.0.0/8"))
    try files.add("/etc/locationd/share.conf.d/own.conf", "[Share]\nNMEA=\nAllow = fd00::/8\n")
    let more = findings(of: examination).filter { $0.kind == .advice }.map(\.text)
    #expect(more.count == 2 && more[1].contains("every program in fd00::/8"))
    try files.add(
      "/etc/locationd/share.conf.d/own.conf",
      "[Share]\nNMEA=\nnmea=tcp:1 \\\n udp:10.0.0.1:2\nALLOW=\n")
    let others = findings(of: examination).filter { $0.kind == .advice }.map(\.text)
    #expect(others.count == 1 && others[0].contains("everyone who hears udp:10.0.0.1:2"))
    try files.add("/etc/locationd/share.conf.d/own.conf", "")
    try files.add("/etc/locationd/share.conf", "[Share]\nChrony=/run/chrony/locationd.sock\n")
    expect(
      try troubles(files),
      "'refclock SOCK /run/chrony/locationd.sock refid GNSS offset 0.1 delay 0.2 precision 1e-2'")
    try files.add("/run/chrony/locationd.sock")
    expect(try troubles(files), "sudo systemctl restart chrony")
  }

  @Test("chronyd's samples want its socket, its folder and a share that runs: what lacks is said")
  func samples() throws {
    let socket = "/run/chrony/locationd.sock"
    let files = try MachineFiles.well().add("/usr/lib/systemd/system/locationd-share.service")
      .add("/etc/locationd/share.conf", "[Share]\nChrony=\(socket)\n").add(socket)
    let folder = files.root + "/run/chrony"
    func said() -> String {
      findings(
        of: Examination(
          machine: Machine(root: files.root, sharer: "nobody"), clock: Self.today, status: status())
      ).filter { $0.text.contains("chrony") }.map(\.text).joined(separator: "\n")
    }
    try #require(chmod(files.root + socket, 0o600) == 0 && chmod(folder, 0o750) == 0)
    #expect(said().contains("may not write to \(socket)"), "\(said())")
    try #require(chmod(files.root + socket, 0o602) == 0)
    #expect(said().contains("may not enter /run/chrony"), "\(said())")
    // As systemd-tmpfiles does: the owner, another user, the group, a mask, all others.
    let list = """
      import os, struct, sys
      lines = [(1, 7, -1), (2, int(sys.argv[2]), 65534), (4, 5, -1), (16, int(sys.argv[3]), -1), (32, 0, -1)]
      text = struct.pack("<I", 2) + b"".join(struct.pack("<HHi", *line) for line in lines)
      os.setxattr(sys.argv[1], "system.posix_acl_access", text)
      """
    for (rights, mask, isOpen) in [(1, 6, false), (4, 7, false), (1, 5, true)] {
      let command = ["/usr/bin/python3", "-c", list, folder, "\(rights)", "\(mask)"]
      try #require(try Child(command).exit() == 0)
      #expect(said().contains("may not enter") != isOpen, "\(rights) under \(mask)")
    }
    #expect(said().contains("'sudo systemctl enable --now locationd-share.service'"), "\(said())")
    try files.add("\(Self.sockets)/locationd-share.socket")
    #expect(said().contains("'sudo systemctl enable"), "\(said())")
    try files.add("\(Self.services)/locationd-share.service")
    #expect(said().contains("may give chronyd samples at \(socket)"), "\(said())")
  }

  @Test("chronyd's folder may be closed to the user who looks: nothing is said of chronyd itself")
  func closedFolder() throws {
    let socket = "/run/chrony/locationd.sock"
    let files = try MachineFiles.well().add("/usr/lib/systemd/system/locationd-share.service")
      .add("/etc/locationd/share.conf", "[Share]\nChrony=\(socket)\n").add(socket)
    let folder = files.root + "/run/chrony"
    try #require(chmod(folder, 0o600) == 0)
    defer { chmod(folder, 0o700) }
    // Root enters each folder, so this thread becomes another user meanwhile.
    let become = unsafeBitCast(
      try #require(dlsym(nil, "setfsuid")), to: (@convention(c) (UInt32) -> Int32).self)
    let user = become(65_534)
    defer { _ = become(UInt32(user)) }
    #expect(try troubles(files) == [])
    expect(try advice(files), "only others may enter", "'sudo locationctl doctor'")
  }

  @Test("chronyd's socket may belong to a group without a name: that is told", .asRoot)
  func namelessGroup() throws {
    let socket = "/run/chrony/locationd.sock"
    let files = try MachineFiles.well().add("/usr/lib/systemd/system/locationd-share.service")
      .add("/etc/locationd/share.conf", "[Share]\nChrony=\(socket)\n").add(socket)
    try #require(chown(files.root + socket, 0, 54_321) == 0)
    #expect(try troubles(files) == [])
    expect(try advice(files), "the group of \(socket) has no name", "CHRONY")
  }

  private static let sockets = "/etc/systemd/system/sockets.target.wants"
  private static let services = "/etc/systemd/system/multi-user.target.wants"

  @Test(
    "gpsd and locationd-share want one port: what to choose",
    arguments: ["\(Self.sockets)/gpsd.socket", "\(Self.services)/gpsd.service"])
  func port(gpsd: String) throws {
    let files = try MachineFiles.well().add("/usr/lib/systemd/system/locationd-share.service")
      .add(gpsd)
    let gpsdless: (inout Status) -> Void = { $0.sources = [] }
    #expect(try troubles(files, gpsdless) == [])
    let disable = "'sudo systemctl disable --now gpsd.socket gpsd'"
    expect(try advice(files, gpsdless), "gpsd has port 2947", ": \(disable), then")
    // Neither the service nor NMEA's socket takes gpsd's port by itself.
    try files.add("\(Self.services)/locationd-share.service")
    try files.add("\(Self.sockets)/locationd-share-nmea.socket")
    #expect(try troubles(files, gpsdless) == [])
    try files.add("/etc/locationd/share.conf", "[Share]\nGpsd=yes\n")
    let remedy = ": \(disable) gives its programs to locationd"
    expect(try troubles(files, gpsdless), remedy, "; Gpsd=no in /etc/locationd/share.conf leaves")
    try files.add("/etc/locationd/share.conf", "[Share]\nGpsd=no\n")
    #expect(try troubles(files, gpsdless) == [])
    try files.add("\(Self.sockets)/locationd-share.socket")
    expect(
      try troubles(files, gpsdless), remedy,
      "; 'sudo systemctl disable --now locationd-share.socket' leaves")
    try files.add("/etc/locationd/share.conf", "[Share]\nGpsd=yes\n")
    expect(try troubles(files, gpsdless), "locationd-share.socket' with Gpsd=no in")
  }

  @Test("a remedy of several sentences is in Korean as a whole")
  func koreanRemedy() throws {
    let say = Speech("ko")
    let remedy =
      "locationd has its receiver from gpsd; name the receiver itself with Source= in locationd.conf"
      + " first; then 'sudo systemctl disable --now gpsd.socket gpsd' gives its programs to locationd,"
      + " which asks about each; 'sudo systemctl disable --now locationd-share.socket' with Gpsd=no in"
      + " /etc/locationd/share.conf leaves them to gpsd, which asks nobody"
    let said = say(said: remedy)
    #expect(said.hasPrefix("locationd는 gpsd에서"))
    for english in ["then", "gives", "with", "leaves"] {
      #expect(!said.contains(english), "\(said)")
    }
    for command in ["gpsd.socket gpsd'", "locationd-share.socket'", "Gpsd=no"] {
      #expect(said.contains(command), "\(said)")
    }
  }

  @Test("a share that NMEA's socket starts wants gpsd's port where its configuration says so")
  func portOfStarted() throws {
    let files = try MachineFiles.well().add("/usr/lib/systemd/system/locationd-share.service")
      .add("\(Self.sockets)/gpsd.socket").add("\(Self.sockets)/locationd-share-nmea.socket")
    #expect(try troubles(files) == [])
    try files.add("/etc/locationd/share.conf", "[Share]\nGpsd=yes\n")
    expect(try troubles(files), "both want port 2947", "Gpsd=no")
  }

  @Test("where gpsd is locationd's receiver, that is named before gpsd is disabled")
  func gpsdsReceiver() throws {
    let files = try MachineFiles.well().add("/usr/lib/systemd/system/locationd-share.service")
      .add("\(Self.sockets)/gpsd.socket")
    func text(_ names: [String]?) throws -> String {
      try advice(files) {
        $0.sources = names?.map { SourceStatus(name: $0, state: .running, stateAge: 1) }
      }.first { $0.contains("gpsd has port 2947") } ?? ""
    }
    for name in ["gpsd:localhost:2947", "gpsd:127.0.0.1:2947", "gpsd:/dev/ttyUSB0"] {
      let own = "locationd has its receiver from gpsd; name the receiver itself with Source="
      #expect(try text([name, "wifi:"]).contains(own))
      #expect(try text([name, "nmea:auto"]).contains("name another one with Source="))
    }
    #expect(try text(nil).contains("if Source= in locationd.conf names gpsd"))
    for names in [[], ["nmea:/dev/ttyUSB0"], ["gpsd:192.168.1.7:2947"]] {
      #expect(try !text(names).contains("Source="), "\(names)")
    }
  }
}
