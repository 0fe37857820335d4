import Actions

/// A repetition as whole numbers, as the history stores it: about 100 bytes as text.
///
/// First come the scores of the whole, the primary outcome and the control, and the measurement that stands for the
/// range; -1 stands for none. Then come three numbers for each reading: the measurement, its value and its uncertainty, in
/// the smallest step in which they are kept. Where a standard was judged, three more follow: -1, the ruling, and 0.
extension MeasuredRepetition {
    /// The most repetitions of a step whose measurements are kept.
    package static let maximumInStep = 2000
    /// The numbers by which the measurements are stored: their places here. New ones are added at the end, and none is
    /// ever taken away.
    static let order: [FormMeasurement] = [
        .kneeFlexion, .hipFlexion, .elbowFlexion, .shoulderElevation, .hipDrop, .shoulderDrop, .trunkRise, .wristRise,
        .hipTravel, .trunkLean, .bodyBend, .standingBend, .kneeOverToes, .handHeight, .footLift, .asymmetry, .seconds,
        .loweringSeconds, .holdSeconds, .raisingSeconds, .loweringRatio, .rhythm, .coachDistance, .ownDistance,
        .kneeLockOut, .elbowLockOut, .raisingSpeed, .speedLoss, .workingSide,
    ]
    /// What stands for the ruling in the place of a measurement.
    private static let rulingNumber = -1
    static let numbers: [FormMeasurement: Int] = order.enumerated().reduce(into: [:]) { $0[$1.element] = $1.offset }

    /// The repetition as whole numbers.
    package var packed: [Int] {
        let head = [whole ?? -1, primary ?? -1, control ?? -1, range.flatMap { Self.numbers[$0] } ?? -1]
        let measured: [[Int]] = readings.compactMap { measurement, reading in
            Self.numbers[measurement].map { number in
                [number, reading.value.steps(of: measurement), reading.uncertainty.steps(of: measurement)]
            }
        }
        let ruled = ruling.map { [Self.rulingNumber, $0.rawValue, 0] } ?? []
        return head + measured.sorted { $0[0] < $1[0] }.flatMap { $0 } + ruled
    }

    /// Reads what ``packed`` made; `nil` for anything else.
    package init?(packed: [Int]) {
        guard packed.count >= 4, packed.count % 3 == 1 else { return nil }
        func score(_ number: Int) -> Int? { (0...100).contains(number) ? number : nil }
        (whole, primary, control) = (score(packed[0]), score(packed[1]), score(packed[2]))
        range = Self.order.indices.contains(packed[3]) ? Self.order[packed[3]] : nil
        readings = [:]
        for place in stride(from: 4, to: packed.count, by: 3) {
            if packed[place] == Self.rulingNumber {
                guard let known = RepetitionRuling(rawValue: packed[place + 1]) else { return nil }
                ruling = known
                continue
            }
            guard Self.order.indices.contains(packed[place]) else { return nil }
            let measurement = Self.order[packed[place]]
            let (value, error) = (Double(packed[place + 1]), Double(packed[place + 2]))
            readings[measurement] = RepetitionMeasures.Reading(
                value / measurement.stepsInOne, uncertainty: error / measurement.stepsInOne)
        }
    }

    /// The repetition with readings as they are stored.
    package var rounded: MeasuredRepetition { MeasuredRepetition(packed: packed) ?? self }
}

extension FormMeasurement {
    /// How many of the smallest steps that are kept make one: a tenth of a degree, a hundredth of a second. One camera
    /// measures no finer.
    var stepsInOne: Double {
        switch unit {
        case .degrees: 10
        case .seconds: 100
        case .share, .ratio, .bodySizes, .armLengths, .trunkLengths, .shinLengths, .bodySizesPerSecond: 1000
        }
    }
}

extension RepetitionMeasures.Reading {
    /// The reading in whole steps.
    func rounded(for measurement: FormMeasurement) -> Self {
        let scale = measurement.stepsInOne
        return Self(
            Double(value.steps(of: measurement)) / scale,
            uncertainty: Double(uncertainty.steps(of: measurement)) / scale)
    }
}

extension Double {
    /// The number in whole steps of a measurement; at most a million units, which no body reaches.
    fileprivate func steps(of measurement: FormMeasurement) -> Int {
        guard !isNaN else { return 0 }
        return Int((Swift.min(Swift.max(self, -1e6), 1e6) * measurement.stepsInOne).rounded())
    }
}
