import Foundation

/// What a machine tells of its heat, its power supply and its clock, in the files of the kernel.
///
/// What a machine does not tell is `nil`: most virtual machines tell nothing.
package struct MachineSensors: Sendable {
    private let files: KernelFiles

    /// The sensors of this machine.
    ///
    /// - Parameter root: a folder with `sys` and `proc` of another machine, for tests.
    package init(root: String = "") { files = KernelFiles(root: root) }

    /// The temperature of the first thermal zone in °C.
    package var temperatureCelsius: Double? { files.number("sys/class/thermal/thermal_zone0/temp").map { $0 / 1000 } }

    /// The clock of the first core in MHz, now and at most.
    package var clockMHz: (now: Double?, most: Double?) {
        let folder = "sys/devices/system/cpu/cpu0/cpufreq/"
        return (
            files.number(folder + "scaling_cur_freq").map { $0 / 1000 },
            files.number(folder + "cpuinfo_max_freq").map { $0 / 1000 }
        )
    }

    /// The energy that the processors have taken in joules, by RAPL; `nil` where root alone may read it.
    package var energyJoules: Double? {
        let packages = files.entries("sys/class/powercap").filter {
            $0.hasPrefix("intel-rapl:") && $0.count { $0 == ":" } == 1
        }
        let joules = packages.compactMap { files.number("sys/class/powercap/\($0)/energy_uj") }.map { $0 / 1e6 }
        return joules.isEmpty ? nil : joules.reduce(0, +)
    }

    /// What the board's own sensors say it takes in watts.
    package var boardWatts: Double? {
        let watts = files.entries("sys/class/hwmon").compactMap { sensor -> Double? in
            let folder = "sys/class/hwmon/\(sensor)/"
            return (files.number(folder + "power1_input") ?? files.number(folder + "power1_average")).map { $0 / 1e6 }
        }
        return watts.isEmpty ? nil : watts.reduce(0, +)
    }

    /// Whether heat and low voltage slow the processor down.
    package var throttling: Throttling? {
        let (flags, alarm, count) = (firmwareFlags, voltageAlarm, throttleCount)
        guard flags != nil || alarm != nil || count != nil else { return nil }
        var found = Throttling(flags: flags ?? 0)
        if alarm == true { (found.isVoltageLow, found.wasVoltageLow) = (true, true) }
        found.count = count
        return found
    }

    /// The flags of a Raspberry Pi's firmware.
    private var firmwareFlags: Int? {
        let platform = "sys/devices/platform"
        for chip in files.entries(platform) where chip.hasPrefix("soc") {
            for part in files.entries("\(platform)/\(chip)") where part.hasSuffix("firmware") {
                guard let text = files.text("\(platform)/\(chip)/\(part)/get_throttled") else { continue }
                return Int(text.replacing("0x", with: ""), radix: 16)
            }
        }
        return nil
    }

    /// The alarm of the kernel's driver `rpi_volt`.
    private var voltageAlarm: Bool? {
        let sensor = files.entries("sys/class/hwmon").first { files.text("sys/class/hwmon/\($0)/name") == "rpi_volt" }
        return sensor.flatMap { files.number("sys/class/hwmon/\($0)/in0_lcrit_alarm") }.map { $0 != 0 }
    }

    /// How often the processor was slowed down because of heat since the start, on x86.
    private var throttleCount: Int? {
        files.number("sys/devices/system/cpu/cpu0/thermal_throttle/package_throttle_count").map { Int($0) }
    }
}

/// Whether heat or low voltage slows a processor down.
package struct Throttling: Sendable, Equatable {
    /// Whether the processor is slowed down now because it is hot.
    package var isHot = false
    /// Whether that has happened since the machine was started.
    package var wasHot = false
    /// Whether the power supply gives too little voltage now.
    package var isVoltageLow = false
    /// Whether that has happened since the machine was started.
    package var wasVoltageLow = false
    /// What to do against heat.
    package static let coolingAdvice = "fit a heat sink or a fan, and let air reach the board"
    /// What to do against low voltage.
    package static let supplyAdvice = "use the power supply that belongs to the board, with a short cable"

    /// How often the processor was slowed down since then; `nil` where that is not counted.
    package var count: Int?

    /// Nothing slows the processor down.
    package init() {}

    /// Reads the flags of a Raspberry Pi's firmware, as its documentation of `get_throttled` lists them.
    ///
    /// Bits 0 to 3 are the present state: low voltage, a limited clock, a slower processor, the soft limit of the temperature. Bits
    /// 16 to 19 say the same of the time since the start. A limited clock has one of both causes: it is the heat where the voltage is
    /// right.
    package init(flags: Int) {
        func has(_ bits: Int...) -> Bool { bits.contains { flags >> $0 & 1 == 1 } }
        (isVoltageLow, wasVoltageLow) = (has(0), has(0, 16))
        isHot = has(3) || !isVoltageLow && has(1, 2)
        wasHot = isHot || has(19) || !has(0, 16) && has(17, 18)
    }

    /// Whether anything slows the processor down now.
    package var isActive: Bool { isHot || isVoltageLow }
}
