import Foundation
import FuzzReaders

// Fuzz READER [libFuzzer's options] [folders or files]; `Fuzz` alone lists the readers.

/// The limit of processor time in seconds for one input. The sanitizer's checks take three quarters of it.
let longestSeconds = 5.0

enum Chosen {
    static let reader = CommandLine.arguments.dropFirst().first.flatMap(FuzzReader.named)
}

@_silgen_name("LLVMFuzzerRunDriver")
func runDriver(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ look: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

guard Chosen.reader != nil else {
    print(FuzzReader.all.map(\.name).joined(separator: "\n"))
    exit(CommandLine.arguments.count > 1 ? 2 : 0)
}
// Remove the reader's name from libFuzzer's arguments; the program's name stays first.
var arguments = CommandLine.unsafeArgv + 1
arguments[0] = CommandLine.unsafeArgv[0]
var count = CommandLine.argc - 1
let status = runDriver(&count, &arguments) { bytes, count in
    let input = bytes.map { Data(bytes: $0, count: count) } ?? Data()
    let before = clock()
    // A thrown error is a valid result.
    try? Chosen.reader?.read(input)
    let seconds = Double(clock() - before) / Double(CLOCKS_PER_SEC)
    guard seconds < longestSeconds else {
        FileHandle.standardError.write(Data("it took \(seconds) seconds of processor time\n".utf8))
        abort()
    }
    return 0
}
exit(status)
