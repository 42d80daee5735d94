import Foundation
import Testing

@testable import locationd

@Suite("What is remembered of speeds") struct SpeedMemoryTests {
  private func withFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "speeds-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }

  @Test("outlives the daemon where there is a state folder")
  func kept() throws {
    try withFolder { folder in
      let before = SpeedMemory()
      before.keep(in: folder.path)
      before.remember(115_200, of: "/dev/serial/by-id/usb A b")
      before.remember(4800, of: "/dev/ttyS0")
      before.remember(9600, of: "/dev/ttyS0")
      let after = SpeedMemory()
      after.keep(in: folder.path)
      #expect(after["/dev/serial/by-id/usb A b"] == 115_200)
      #expect(after["/dev/ttyS0"] == 9600)
      #expect(after["/dev/ttyS1"] == nil)
    }
  }

  @Test("a damaged file is passed over, and does not grow without end")
  func damaged() throws {
    try withFolder { folder in
      let file = folder.appending(path: "speeds")
      try Data([0xFF, 0x0A] + "9601 /dev/a\nx\n\n 9600\n9600 /dev/b".utf8).write(to: file)
      let memory = SpeedMemory()
      memory.keep(in: folder.path)
      #expect(memory["/dev/a"] == nil)
      #expect(memory["/dev/b"] == 9600)
      for i in 0..<1000 { memory.remember(9600, of: "/dev/\(i)") }
      #expect(try Data(contentsOf: file).count < 16384)
    }
  }

  @Test("nothing is written where there is none")
  func noFolder() {
    let memory = SpeedMemory()
    memory.remember(9600, of: "/dev/a")
    #expect(memory["/dev/a"] == 9600)
  }
}
