import CTurboJPEG

/// Decodes the JPEG pictures of one camera with libjpeg-turbo.
///
/// Not thread-safe.
final class JPEGDecoder {
    private let decoder: tjhandle
    /// Whether this camera has ended a picture with the end marker; a later picture without one is then torn.
    private var endsPictures = false

    init?() {
        guard let decoder = tjInitDecompress() else { return nil }
        self.decoder = decoder
    }

    deinit { tjDestroy(decoder) }

    /// Decodes one picture to RGB.
    ///
    /// - Parameter rgb: `widthPixels` × `heightPixels` × 3 bytes.
    /// - Throws: ``PixelConverter/UnreadablePicture`` when the bytes are not a whole picture of this size.
    func decode(
        _ bytes: UnsafeRawBufferPointer, widthPixels: Int, heightPixels: Int, to rgb: UnsafeMutableBufferPointer<UInt8>
    ) throws(PixelConverter.UnreadablePicture) {
        try checkMarkers(bytes)
        let picture = bytes.bindMemory(to: UInt8.self).baseAddress, count = UInt(bytes.count)
        var (width, height, subsampling, colours) = (Int32(), Int32(), Int32(), Int32())
        guard tjDecompressHeader3(decoder, picture, count, &width, &height, &subsampling, &colours) == 0 else {
            throw failure()
        }
        guard width == widthPixels, height == heightPixels else {
            throw .init(reason: "\(width)x\(height) pixels instead of \(widthPixels)x\(heightPixels)")
        }
        // A picture of many scans would take seconds.
        let status = tjDecompress2(
            decoder, picture, count, rgb.baseAddress, width, 0, height, Int32(TJPF_RGB.rawValue), TJFLAG_LIMITSCANS)
        // Many cameras put stray bytes before a marker. libjpeg-turbo warns of them and decodes the picture.
        guard status == 0 || tjGetErrorCode(decoder) == TJERR_WARNING.rawValue else { throw failure() }
    }

    /// Rejects incomplete pictures that libjpeg-turbo would fill with grey.
    private func checkMarkers(_ bytes: UnsafeRawBufferPointer) throws(PixelConverter.UnreadablePicture) {
        guard bytes.count > 4, bytes[0] == 0xFF, bytes[1] == 0xD8 else { throw .init(reason: "not a JPEG picture") }
        // Some cameras pad with zeros after the end marker.
        var end = bytes.count
        while end > 2 && bytes[end - 1] == 0 { end -= 1 }
        if bytes[end - 2] == 0xFF && bytes[end - 1] == 0xD9 {
            endsPictures = true
        } else if endsPictures {
            throw .init(reason: "the JPEG picture breaks off")
        }
    }

    private func failure() -> PixelConverter.UnreadablePicture {
        .init(reason: String(cString: tjGetErrorStr2(decoder)))
    }
}
