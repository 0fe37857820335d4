import CTurboJPEG

/// Encodes a picture as JPEG.
public enum StillEncoder {
    /// At lower qualities, artefacts show around skeletons on black.
    private static let quality: Int32 = 85

    /// Encodes `image` as JPEG with 4:2:0 chroma subsampling.
    ///
    /// - Returns: the bytes of the JPEG file.
    /// - Throws: ``CaptureError/encodingFailed(path:reason:)`` when the picture is too large for a JPEG.
    public static func jpeg(_ image: Image) throws -> [UInt8] {
        let (width, height) = (Int32(clamping: image.widthPixels), Int32(clamping: image.heightPixels))
        let subsampling = Int32(TJSAMP_420.rawValue)
        let capacity = Int(bitPattern: tjBufSize(width, height, subsampling))
        guard let encoder = tjInitCompress(), capacity > 0 else { throw failure() }
        defer { tjDestroy(encoder) }
        var status: Int32 = -1
        let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            var output = buffer.baseAddress
            var size = UInt(capacity)
            status = tjCompress2(
                encoder, image.rgb, width, 0, height, Int32(TJPF_RGB.rawValue), &output, &size, subsampling,
                Self.quality, TJFLAG_NOREALLOC)
            count = status == 0 ? Int(size) : 0
        }
        guard status == 0 else { throw failure(of: encoder) }
        return bytes
    }

    private static func failure(of encoder: tjhandle? = nil) -> CaptureError {
        .encodingFailed(path: "a preview", reason: String(cString: tjGetErrorStr2(encoder)))
    }
}
