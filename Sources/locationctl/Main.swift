import Glibc

@main struct Main {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.first == "decode" { exit(Decode.run(Array(arguments.dropFirst()))) }
  }
}
