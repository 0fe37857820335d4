/// Reads binary PPM pictures from a pipe: each tells its own size, so a stream may change size midway.
enum PortablePixmap {
    /// The next picture; `nil` when the stream ends, even inside a picture.
    ///
    /// - Throws: ``CaptureError/decodingFailed(source:reason:)`` when what comes is not a PPM picture.
    static func read(from child: ChildProcess) throws -> Image? {
        guard let header = try readHeader(from: child) else { return nil }
        let size = header.width * header.height * 3
        var complete = true
        let rgb = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = size
            guard let base = buffer.baseAddress else { return }
            var filled = 0
            while filled < size {
                let n = child.read(into: base + filled, count: size - filled)
                if n == 0 {
                    // The array must be initialised even though it is thrown away.
                    (base + filled).update(repeating: 0, count: size - filled)
                    complete = false
                    return
                }
                filled += n
            }
        }
        return complete ? Image(widthPixels: header.width, heightPixels: header.height, rgb: rgb) : nil
    }

    /// Parses `P6 <width> <height> 255` and the single white space behind it.
    private static func readHeader(from child: ChildProcess) throws -> (width: Int, height: Int)? {
        var words: [String] = []
        var word = ""
        var byte: UInt8 = 0
        while words.count < 4 {
            guard child.read(into: &byte, count: 1) == 1 else { return nil }
            if byte == 0x20 || byte == 0x0A {
                words.append(word)
                word = ""
            } else {
                word.unicodeScalars.append(Unicode.Scalar(byte))
                guard word.count <= 6 else { break }
            }
        }
        guard words.count == 4, words[0] == "P6", words[3] == "255", let width = Int(words[1]),
            let height = Int(words[2]), width > 0, height > 0, width <= 16_384, height <= 16_384
        else { throw CaptureError.decodingFailed(source: "ffmpeg", reason: "its output is not a picture") }
        return (width, height)
    }
}
