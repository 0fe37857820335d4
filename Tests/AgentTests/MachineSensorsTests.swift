import Agent
import Foundation
import Messaging
import TestSupport
import Testing

/// Folders of machines that do not exist, as the kernel would show them.
@Suite struct MachineSensorsTests {
    private let folder: TemporaryFolder
    private let sensors: MachineSensors

    init() throws {
        folder = try TemporaryFolder()
        sensors = MachineSensors(root: folder.url.path)
    }

    private func write(_ text: String, _ file: String) throws {
        let url = folder.url.appending(path: file)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    private func setFlags(_ text: String) throws {
        try write(text, "sys/devices/platform/soc/soc:firmware/get_throttled")
    }

    private func setAlarm(_ text: String) throws {
        try write("rpi_volt\n", "sys/class/hwmon/hwmon2/name")
        try write(text, "sys/class/hwmon/hwmon2/in0_lcrit_alarm")
    }

    @Test func `a machine without sensors tells nothing, and has no problems`() {
        #expect(sensors.throttling == nil && sensors.temperatureCelsius == nil && sensors.energyJoules == nil)
        #expect(sensors.boardWatts == nil && sensors.clockMHz.now == nil && sensors.clockMHz.most == nil)
        #expect(MachineWatch(sensors).problems().isEmpty)
    }

    /// The lowest bit is a low voltage, the fourth the limit of the temperature. Those from the 16th on say the same of the time
    /// since the start.
    @Test(arguments: [
        ("0", false, false, false, false), ("4\n", true, true, false, false), ("0x8", true, true, false, false),
        ("2", true, true, false, false), ("50005", false, false, true, true), ("0x1", false, false, true, true),
        ("9", true, true, true, true), ("10000", false, false, false, true), ("80000", false, true, false, false),
        ("40000", false, true, false, false), ("50000", false, false, false, true),
    ])
    func `scenario 38: present throttling is distinguished from earlier throttling, and heat from low voltage`(
        text: String, isHot: Bool, wasHot: Bool, isLow: Bool, wasLow: Bool
    ) throws {
        try setFlags(text)
        let found = try #require(sensors.throttling)
        #expect(found.isHot == isHot && found.wasHot == wasHot, "\(found)")
        #expect(found.isVoltageLow == isLow && found.wasVoltageLow == wasLow, "\(found)")
    }

    @Test func `flags that are no number tell nothing`() throws {
        try setFlags("no")
        #expect(sensors.throttling == nil)
    }

    @Test func `the kernel's alarm of the voltage tells the same without the firmware's flags`() throws {
        try setAlarm("0\n")
        #expect(sensors.throttling == Throttling())
        try setAlarm("1\n")
        #expect(sensors.throttling?.isVoltageLow == true && sensors.throttling?.isHot == false)
    }

    @Test func `temperature, clock, energy and watts are read in their units`() throws {
        try write("61250\n", "sys/class/thermal/thermal_zone0/temp")
        try write("1500000\n", "sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq")
        try write("2400000\n", "sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq")
        for (name, energy) in [("intel-rapl:0", "5000000"), ("intel-rapl:1", "2500000"), ("intel-rapl:0:0", "99")] {
            try write(energy, "sys/class/powercap/\(name)/energy_uj")
        }
        try write("4200000\n", "sys/class/hwmon/hwmon0/power1_input")
        #expect(sensors.temperatureCelsius == 61.25)
        #expect(sensors.clockMHz.now == 1500 && sensors.clockMHz.most == 2400)
        #expect(sensors.energyJoules == 7.5, "a package, and not the cores that are part of it")
        #expect(sensors.boardWatts == 4.2)
    }

    @Test func `a board says its model, its cores, its memory and its system`() throws {
        let machine = MachineDescription(root: folder.url.path)
        #expect(machine.model.isEmpty && machine.processor.isEmpty && machine.kernel.isEmpty && machine.cores == 0)
        #expect(machine.memoryMB == nil && machine.operatingSystem == "Linux")
        try write("Raspberry Pi 5 Model B Rev 1.0\0", "proc/device-tree/model")
        let cores = (0..<4).map { "processor\t: \($0)\nCPU implementer\t: 0x41\nCPU part\t: 0xd0b\n\n" }
        try write(cores.joined(), "proc/cpuinfo")
        try write("MemTotal:        8255968 kB\nMemFree: 1 kB\n", "proc/meminfo")
        try write("6.12.25+rpt-rpi-2712\n", "proc/sys/kernel/osrelease")
        try write("NAME=Debian\nPRETTY_NAME=\"Debian GNU/Linux 13 (trixie)\"\n", "etc/os-release")
        #expect(machine.model == "Raspberry Pi 5 Model B Rev 1.0" && machine.processor == "Cortex-A76")
        #expect(machine.cores == 4 && machine.memoryMB == 8062 && machine.kernel == "6.12.25+rpt-rpi-2712")
        #expect(machine.operatingSystem == "Debian GNU/Linux 13 (trixie)")
        let big = "processor\t: 0\nCPU part\t: 0xd41\nprocessor\t: 1\nCPU part\t: 0xd05\n"
        try write(big + "processor\t: 2\nCPU part\t: 0xfff\n", "proc/cpuinfo")
        #expect(machine.processor == "Cortex-A78 and Cortex-A55 and Arm core 0xfff")
        try write("processor\t: 0\nmodel name\t: Intel(R) N100\n", "proc/cpuinfo")
        #expect(machine.processor == "Intel(R) N100")
    }

    @Test func `heat and low voltage are problems with what to do, until they were away for a minute`() throws {
        let watch = MachineWatch(sensors), start = ContinuousClock.now,
            wall = Date(timeIntervalSince1970: 1_800_000_000)
        func problems(_ seconds: Int) -> [Problem] {
            watch.problems(now: start + .seconds(seconds), wall: wall.addingTimeInterval(Double(seconds)))
        }
        try setFlags("0")
        try write("84900\n", "sys/class/thermal/thermal_zone0/temp")
        #expect(problems(0).isEmpty)
        try setFlags("9")
        #expect(problems(1).isEmpty, "the firmware is asked every five seconds")
        let found = problems(6)
        #expect(found.map(\.code) == ["thermal_throttling", "under_voltage"])
        #expect(found.allSatisfy { $0.since == wall.addingTimeInterval(6) && $0.camera == nil })
        #expect(found[0].message?.contains("hot (85 °C): fit a heat sink or a fan") == true)
        #expect(found[1].message?.contains("use the power supply that belongs to the board") == true)
        try setFlags("4")
        #expect(problems(60).map(\.code) == ["thermal_throttling", "under_voltage"])
        #expect(problems(70).map(\.code) == ["thermal_throttling"])
        try setFlags("0")
        #expect(problems(120).map(\.code) == ["thermal_throttling"])
        #expect(problems(130).isEmpty)
    }

    @Test func `a processor that counts its slow-downs has a problem when the count grows`() throws {
        let watch = MachineWatch(sensors), start = ContinuousClock.now
        let file = "sys/devices/system/cpu/cpu0/thermal_throttle/package_throttle_count"
        try write("17\n", file)
        #expect(watch.problems(now: start).isEmpty, "what was before this start is no problem now")
        #expect(watch.problems(now: start + .seconds(6)).isEmpty)
        try write("19\n", file)
        #expect(watch.problems(now: start + .seconds(12)).map(\.code) == ["thermal_throttling"])
        #expect(watch.problems(now: start + .seconds(80)).isEmpty)
    }
}
