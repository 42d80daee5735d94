internal import CLinux
package import LocationModel

extension Descriptor {
  /// Into a Unix socket, with a descriptor that the reader has from then on, too.
  package borrowing func send(
    _ bytes: UnsafeRawBufferPointer, with other: borrowing Descriptor
  ) -> Transfer {
    Transfer(linux_send_descriptor(number, bytes.baseAddress, bytes.count, other.number))
  }
}

extension LineBuffer {
  /// Reads bytes, and the descriptors that came with them.
  package mutating func read(
    from descriptor: Int32, atMost most: Int = 16384, _ received: (consuming Descriptor) -> Void
  ) -> Transfer {
    withUnsafeTemporaryAllocation(byteCount: most, alignment: 1) { buffer in
      var numbers = [Int32](repeating: -1, count: 64)
      var count: Int32 = 0
      let transfer = Transfer(
        linux_receive_descriptors(
          descriptor, buffer.baseAddress, most, &numbers, Int32(numbers.count), &count))
      for number in numbers.prefix(Int(count)) { received(Descriptor(owning: number)) }
      if case .bytes(let count) = transfer {
        append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      }
      return transfer
    }
  }
}
