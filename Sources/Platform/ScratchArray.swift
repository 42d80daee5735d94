internal import Glibc

/// An array in a file without a name, mapped: what a country needs of it is no private memory, and a full disk is an
/// error, not a signal. The file goes with it.
package final class ScratchArray<Element: BitwiseCopyable> {
  private let file: Descriptor
  // Checks at each access would take as long as the work; an array is used by one thread.
  @exclusivity(unchecked)
  @usableFromInline package private(set) var start: UnsafeMutablePointer<Element>?
  /// Elements that there is room for.
  @exclusivity(unchecked)
  @usableFromInline package private(set) var room = 0
  @exclusivity(unchecked)
  @usableFromInline package var used = 0

  @inlinable package var count: Int { used }

  /// `folder` is where the file lies.
  package init(in folder: String) throws(SystemError) {
    // O_TMPFILE; not every file system has it.
    let nameless = O_DIRECTORY | 0o20_000_000
    var number = open(folder, nameless | O_RDWR | O_CLOEXEC, 0o600)
    if number < 0 {
      var name = Array("\(folder)/.scratch-XXXXXX".utf8CString)
      number = mkstemp(&name)
      if number >= 0 { unlink(name) }
    }
    guard number >= 0 else { throw SystemError(folder) }
    file = Descriptor(owning: number)
  }

  deinit { if let start { munmap(start, room * MemoryLayout<Element>.stride) } }

  /// Makes room for so many elements, twice as many as there was room for at least.
  package func reserve(_ wanted: Int) throws(SystemError) {
    guard wanted > room else { return }
    let stride = MemoryLayout<Element>.stride
    let page = Int(getpagesize())
    let (wish, isTooLarge) = max(wanted, room * 2).multipliedReportingOverflow(by: stride)
    guard !isTooLarge, wish < Int.max - page else { throw SystemError("scratch", EFBIG) }
    let size = (wish + page - 1) / page * page
    var answer = posix_fallocate(file.number, 0, size)
    while answer == EINTR { answer = posix_fallocate(file.number, 0, size) }
    guard answer == 0 else { throw SystemError("scratch", answer) }
    // The pages stay in the kernel's memory while they are not mapped.
    guard let place = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file.number, 0),
      place != MAP_FAILED
    else { throw SystemError("scratch") }
    if let start { munmap(start, room * stride) }
    start = place.assumingMemoryBound(to: Element.self)
    room = size / stride
  }

  @inlinable package func append(_ element: Element) throws(SystemError) {
    if used == room { try reserve(used + 1) }
    start?[used] = element
    used += 1
  }

  @inlinable package func append(_ elements: some Collection<Element>) throws(SystemError) {
    try reserve(used + elements.count)
    for element in elements {
      start?[used] = element
      used += 1
    }
  }

  /// New elements are all zeros.
  package func resize(_ count: Int) throws(SystemError) {
    try reserve(count)
    used = count
  }

  /// All of it, until it grows.
  @inlinable package var buffer: UnsafeMutableBufferPointer<Element> {
    UnsafeMutableBufferPointer(start: start, count: used)
  }

  @inlinable package subscript(index: Int) -> Element {
    get { buffer[index] }
    set { buffer[index] = newValue }
  }
}
