import CV4L2
import Glibc

extension V4L2Port {
    /// Every usable mode, and the one that fits best.
    ///
    /// - Throws: ``CaptureError/cameraFormat(device:step:reason:)`` when there is none.
    func choose(_ settings: V4L2Camera.Settings) throws -> (modes: [CameraMode], best: CameraMode) {
        let (width, height) = (settings.widthPixels, settings.heightPixels)
        let offered = formats().filter { settings.pixelFormat == nil || $0 == settings.pixelFormat }
        let modes = offered.flatMap {
            self.modes(of: $0, widthPixels: width, heightPixels: height, rateHz: settings.rateHz).filter {
                PixelConverter.canConvert($0.format, widthPixels: $0.widthPixels, heightPixels: $0.heightPixels)
            }
        }
        let best = CameraMode.best(among: modes, widthPixels: width, heightPixels: height, rateHz: settings.rateHz)
        guard let best else {
            let names = offered.map(\.description).joined(separator: ", ")
            let nothing = settings.pixelFormat.map { "it does not offer \($0)" } ?? "it offers no format"
            throw CaptureError.cameraFormat(
                device: device, step: "pictures",
                reason: offered.isEmpty ? nothing : "Spotter converts none of \(names)")
        }
        return (modes, best)
    }

    /// The most entries read from one list. No device has more, and a faulty driver may never end its list.
    private static let limit: UInt32 = 512

    /// The formats that the camera offers.
    func formats() -> [PixelFormat] {
        enumerate { index in
            var format = v4l2_fmtdesc()
            format.index = index
            format.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
            return control(cv4l2_enum_fmt, &format) == 0 ? PixelFormat(code: format.pixelformat) : nil
        }
    }

    /// The modes of a format that the camera lists. A range stands for the value nearest to the wanted one.
    func modes(of format: PixelFormat, widthPixels: Int, heightPixels: Int, rateHz: Double) -> [CameraMode] {
        let sizes = sizes(of: format, widthPixels: widthPixels, heightPixels: heightPixels)
        return sizes.flatMap { size in
            rates(of: format, widthPixels: size.width, heightPixels: size.height, rateHz: rateHz).map {
                CameraMode(format: format, widthPixels: size.width, heightPixels: size.height, rateHz: $0)
            }
        }
    }

    private func sizes(of format: PixelFormat, widthPixels: Int, heightPixels: Int) -> [(width: Int, height: Int)] {
        let sizes = enumerate { index -> (width: Int, height: Int)? in
            var size = v4l2_frmsizeenum()
            size.index = index
            size.pixel_format = format.code
            guard control(cv4l2_enum_framesizes, &size) == 0 else { return nil }
            if size.type == V4L2_FRMSIZE_TYPE_DISCRETE.rawValue {
                return (Int(size.discrete.width), Int(size.discrete.height))
            }
            // A range is always the only entry.
            guard index == 0 else { return nil }
            let range = size.stepwise
            return (
                Self.nearest(widthPixels, range.min_width, range.max_width, range.step_width),
                Self.nearest(heightPixels, range.min_height, range.max_height, range.step_height)
            )
        }
        let usable = sizes.filter { $0.width > 0 && $0.height > 0 }
        // A camera that lists no sizes accepts the wanted one, or uses the nearest.
        return usable.isEmpty ? [(widthPixels, heightPixels)] : usable
    }

    private func rates(of format: PixelFormat, widthPixels: Int, heightPixels: Int, rateHz: Double) -> [Double] {
        let rates = enumerate { index -> Double? in
            var interval = v4l2_frmivalenum()
            interval.index = index
            interval.pixel_format = format.code
            interval.width = UInt32(widthPixels)
            interval.height = UInt32(heightPixels)
            guard control(cv4l2_enum_frameintervals, &interval) == 0 else { return nil }
            if interval.type == V4L2_FRMIVAL_TYPE_DISCRETE.rawValue { return Self.rate(interval.discrete) }
            guard index == 0 else { return nil }
            // The shortest interval is the highest rate.
            return min(max(rateHz, Self.rate(interval.stepwise.max)), Self.rate(interval.stepwise.min))
        }
        let usable = rates.filter { $0 > 0 }
        return usable.isEmpty ? [0] : usable
    }

    private func enumerate<Element>(_ element: (UInt32) -> Element?) -> [Element] {
        var all: [Element] = []
        for index in 0..<Self.limit {
            guard let next = element(index) else { break }
            all.append(next)
        }
        return all
    }

    private static func nearest(_ wanted: Int, _ least: UInt32, _ most: UInt32, _ step: UInt32) -> Int {
        let (least, most, step) = (Int(least), Int(most), max(1, Int(step)))
        let clamped = min(max(wanted, least), most)
        return least + (clamped - least + step / 2) / step * step
    }

    private static func rate(_ interval: v4l2_fract) -> Double {
        interval.numerator > 0 ? Double(interval.denominator) / Double(interval.numerator) : 0
    }
}
