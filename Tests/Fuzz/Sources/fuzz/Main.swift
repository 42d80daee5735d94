import Glibc

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
  _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

nonisolated(unsafe) private var chosen: Decoder?

/// The function that libFuzzer calls with every input.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  chosen?.decode(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}

/// The first argument is a decoder's name; what follows is libFuzzer's. `names` lists them,
/// `prepare FOLDER RECORDINGS` writes their seeds and words.
///
/// The package manager names a program's entry after its target; the fuzzer's own `main` is not used.
@_cdecl("fuzz_main")
public func main(
  _ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  let words = (1..<max(1, Int(count))).compactMap { arguments?[$0].map { String(cString: $0) } }
  switch words.first {
  case "names":
    for decoder in Decoder.all(recordings: Recordings { _, _ in [] }) { print(decoder.name) }
    return 0
  case "prepare" where words.count == 3: return prepare(words[1], recordings: words[2])
  default: break
  }
  chosen = Decoder.all(recordings: Recordings { _, _ in [] }).first { $0.name == words.first }
  guard chosen != nil, var rest = arguments else {
    print("usage: fuzz DECODER [OPTION OF LIBFUZZER]... [FOLDER|FILE]...")
    return 2
  }
  rest[1] = rest[0]
  rest += 1
  var left = count - 1
  var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = rest
  return runDriver(&left, &arguments, test)
}

/// `FOLDER/NAME.seeds/` and `FOLDER/NAME.dict` of each decoder.
private func prepare(_ folder: String, recordings: String) -> CInt {
  let decoders = Decoder.all(
    recordings: Recordings { name, most in
      guard let file = fopen("\(recordings)/\(name)", "r") else { return [] }
      defer { fclose(file) }
      var bytes = [UInt8](repeating: 0, count: most)
      return Array(bytes.prefix(fread(&bytes, 1, most, file)))
    })
  for decoder in decoders {
    mkdir("\(folder)/\(decoder.name).seeds", 0o777)
    for (i, seed) in decoder.seeds.enumerated() {
      guard write(seed, to: "\(folder)/\(decoder.name).seeds/\(i)") else { return 1 }
    }
    let words = decoder.words.map { "\"" + $0.utf8.map(escaped).joined() + "\"\n" }
    guard write(Array(words.joined().utf8), to: "\(folder)/\(decoder.name).dict") else { return 1 }
  }
  return 0
}

private func escaped(_ byte: UInt8) -> String {
  let digits = String(byte, radix: 16)
  return "\\x" + (byte < 16 ? "0" : "") + digits
}

private func write(_ bytes: [UInt8], to path: String) -> Bool {
  guard let file = fopen(path, "w") else { return false }
  defer { fclose(file) }
  return fwrite(bytes, 1, bytes.count, file) == bytes.count
}

/// Here what is wrong ends the program, and libFuzzer keeps the input.
func check(_ condition: Bool, _ what: String) {
  precondition(condition, what)
}
