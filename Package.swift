// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// Where libFuzzer lies: set by Tests/fuzz.sh, and only then is the target `Fuzz` part of the package.
let libFuzzer = Context.environment["SPOTTER_FUZZ"]

/// Set by Tests/sanitize-node.sh: sanitizers cannot follow the runtime where it is linked statically.
let isSanitized = Context.environment["SPOTTER_SANITIZED"] != nil

/// What a fuzzer needs to see which code was reached.
let coverage = ["-sanitize-coverage=edge,inline-8bit-counters,pc-table,trace-cmp"]

/// Swift 6 language mode and warnings as errors, for every target of ours.
let strict: [SwiftSetting] =
    [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]
    + (libFuzzer == nil ? [] : [.unsafeFlags(coverage + ["-Onone"])])

/// For what computes on poses. The fuzzer optimises nothing else, since that takes longer than it runs.
let computing: [SwiftSetting] =
    [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)] + (libFuzzer == nil ? [] : [.unsafeFlags(coverage)])

/// For tests whose own process computes little: optimising them takes longer than they run.
let unoptimised: [SwiftSetting] = strict + [.unsafeFlags(["-Onone"])]

/// The Swift runtime becomes part of the program, without what nobody calls: 5 MB less memory than its shared libraries
/// take; packed relocations save 2 more (glibc 2.36 or later reads them). The libraries are what Foundation is made of;
/// only a compilation for static linking would name them by itself.
let lean: [LinkerSetting] =
    isSanitized
    ? []
    : [
        .unsafeFlags(["-static-stdlib", "-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs"])
    ]
        + [
            "FoundationInternationalization", "CoreFoundation", "_FoundationICU", "_FoundationCShims",
            "_FoundationCollections",
        ].map { .linkedLibrary($0) }

/// The packages from outside. Exact versions: a build of today and one of next year are made of the same sources.
let packages: KeyValuePairs<String, Version> = [
    "https://github.com/apple/swift-argument-parser": "1.8.2",
    "https://github.com/apple/swift-log": "1.16.2",
    "https://github.com/swift-server/swift-service-lifecycle": "2.13.0",
    "https://github.com/groue/GRDB.swift": "7.10.0",
    "https://github.com/apple/swift-nio": "2.101.2",
]

/// A release's source archive carries their sources in the folder Vendor, and builds without a network.
let isCarried = FileManager.default.fileExists(atPath: Context.packageDirectory + "/Vendor")

// The targets, as the folders of Sources say whose they are. Each target names all it imports: what it only reached through
// others would not be rebuilt with it. CMosquitto, COpenBLAS and their like only declare what a library of the system has.
//
// Each list has its type written down: the compiler that builds for arm64 gives up on one expression of all targets.

/// Of all programs.
let shared: [Target] = [
    .systemLibrary(name: "CMosquitto", pkgConfig: "libmosquitto", providers: [.apt(["libmosquitto-dev"])]),
    .target(name: "CTOML"),
    .target(name: "COpenSSL", linkerSettings: [.linkedLibrary("ssl"), .linkedLibrary("crypto")]),
    // Ids, time stamps, JSON and digests of everything that is stored or sent.
    .target(name: "Records", dependencies: ["COpenSSL"], swiftSettings: computing),
    // What nodes send and receivers store: one description for both.
    .target(name: "Contract", dependencies: ["Records"], swiftSettings: strict),
    // What both programs need: the terminal, settings, the connection to a broker.
    .target(
        name: "CommandLineProgram",
        dependencies: [
            "Records",
            .product(name: "ArgumentParser", package: "swift-argument-parser"),
            .product(name: "Logging", package: "swift-log"),
        ],
        swiftSettings: strict),
    .target(
        name: "TOMLSettings", dependencies: ["Records", "CTOML"], swiftSettings: strict),
    .target(name: "Broker", dependencies: ["Records", "CMosquitto", "COpenSSL"], swiftSettings: strict),
    // One HTTP server with limits, for the page and for the figures of both programs.
    .target(
        name: "HTTPServing",
        dependencies: [
            "Records", .product(name: "NIOCore", package: "swift-nio"),
            .product(name: "NIOHTTP1", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
        ],
        swiftSettings: strict),
]

/// Of the node, in the order the data walks.
let node: [Target] = [
    .systemLibrary(name: "COpenBLAS", pkgConfig: "openblas", providers: [.apt(["libopenblas-dev"])]),
    .systemLibrary(name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
    .target(name: "CV4L2", linkerSettings: [.linkedLibrary("v4l2"), .linkedLibrary("v4lconvert")]),
    .target(name: "CPage"),
    .target(name: "CWords"),
    // What people read, in one file for each language.
    .target(
        name: "Words", dependencies: ["CWords", "Records"], exclude: ["de.json", "en.json"], swiftSettings: strict),
    .target(name: "CKernels"),
    .target(name: "NeuralNet", dependencies: ["Records", "CKernels", "COpenBLAS"], swiftSettings: computing),
    .target(name: "Capture", dependencies: ["CV4L2", "CTurboJPEG"], swiftSettings: strict),
    .target(
        name: "Poses", dependencies: ["Capture", "NeuralNet", "Records", "CKernels"], swiftSettings: computing),
    .target(
        name: "Actions", dependencies: ["Poses", "Capture", "NeuralNet", "Contract", "Records"],
        swiftSettings: computing),
    .target(
        name: "Workouts", dependencies: ["Actions", "TOMLSettings", "Contract", "Records"], swiftSettings: strict),
    .target(
        name: "History",
        dependencies: [
            "Workouts", "Actions", "TOMLSettings", "Contract", "Records",
            .product(name: "GRDB", package: "GRDB.swift"),
        ],
        swiftSettings: strict),
    .target(
        name: "Demonstration",
        dependencies: ["History", "Workouts", "Actions", "NeuralNet", "Contract", "Records"], swiftSettings: strict),
    .target(
        name: "Sharing", dependencies: ["History", "Workouts", "Capture", "Contract", "Records", "Words"],
        swiftSettings: strict),
    .target(
        name: "Messaging",
        dependencies: ["Broker", "Workouts", "Actions", "History", "Contract", "Records", "Words"],
        swiftSettings: strict),
    .target(
        name: "Configuration",
        dependencies: [
            "TOMLSettings", "Broker", "Sharing", "History", "Actions", "Poses", "Capture", "Contract", "Records",
            "Words",
        ],
        swiftSettings: strict),
    .target(
        name: "Agent",
        dependencies: [
            "Configuration", "TOMLSettings", "Messaging", "Broker", "Sharing", "History", "Workouts", "Actions",
            "Poses",
            "Capture", "Contract", "Records", "NeuralNet", "Words",
            .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            .product(name: "Logging", package: "swift-log"),
        ],
        swiftSettings: strict),
    .target(
        name: "Diagnostics",
        dependencies: [
            "Agent", "Configuration", "TOMLSettings", "Messaging", "Broker", "History", "Workouts", "Actions",
            "Poses", "Capture", "Records",
        ],
        swiftSettings: strict),
    .target(
        name: "Web",
        dependencies: [
            "HTTPServing", "Diagnostics", "Agent", "Configuration", "TOMLSettings", "Messaging", "Broker",
            "Sharing", "History", "Workouts",
            "Actions", "Poses", "Capture", "Contract", "Records", "Words", "CPage", "COpenSSL",
            .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            .product(name: "Logging", package: "swift-log"),
        ],
        exclude: ["Page"],
        swiftSettings: strict),
    .executableTarget(
        name: "spotter",
        dependencies: [
            "CommandLineProgram", "HTTPServing", "Web", "Agent", "Configuration", "TOMLSettings",
            "Diagnostics",
            "Training",
            "SyntheticMotion", "Messaging",
            "Broker",
            "Sharing", "Demonstration", "History", "Workouts",
            "Actions", "Poses", "Capture", "NeuralNet", "Contract", "Records", "Words",
            .product(name: "ArgumentParser", package: "swift-argument-parser"),
            .product(name: "Logging", package: "swift-log"),
        ],
        swiftSettings: strict,
        linkerSettings: lean),
]

/// Of the training studio.
let studio: [Target] = [
    .target(name: "SyntheticMotion", dependencies: ["Poses", "NeuralNet"], swiftSettings: strict),
    .target(
        name: "Training", dependencies: ["SyntheticMotion", "Actions", "Poses", "NeuralNet", "Records"],
        swiftSettings: strict),
]

/// Of the fleet's sink, the receiver of many nodes' records: a program and a package of its own.
let sink: [Target] = [
    .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .target(
        name: "Sink",
        dependencies: [
            "HTTPServing", "Broker", "TOMLSettings", "Contract", "Records", "CPostgres",
            .product(name: "Logging", package: "swift-log"),
        ],
        resources: [.embedInCode("Schema")],
        swiftSettings: strict),
    .executableTarget(
        name: "spotter-sink",
        dependencies: [
            "Sink", "CommandLineProgram", "Broker", "TOMLSettings", "Records",
            .product(name: "ArgumentParser", package: "swift-argument-parser"),
            .product(name: "Logging", package: "swift-log"),
        ],
        swiftSettings: strict,
        linkerSettings: lean),
]

/// The tests mirror the sources.
let tests: [Target] = [
    .target(name: "CTestSupport", path: "Tests/CTestSupport"),
    .target(
        name: "TestSupport", dependencies: ["CTestSupport"], path: "Tests/TestSupport", exclude: ["ports.py"],
        swiftSettings: strict),
    .testTarget(name: "RecordsTests", dependencies: ["Records"], swiftSettings: unoptimised),
    .testTarget(name: "NeuralNetTests", dependencies: ["NeuralNet", "CKernels"], swiftSettings: strict),
    .testTarget(
        name: "CaptureTests", dependencies: ["Capture", "CV4L2", "TestSupport"], swiftSettings: unoptimised),
    .testTarget(
        name: "PosesTests", dependencies: ["Poses", "Capture", "NeuralNet", "TestSupport"],
        swiftSettings: strict),
    .testTarget(
        name: "ActionsTests",
        dependencies: [
            "Actions", "Agent", "Configuration", "TOMLSettings", "Poses", "Capture", "NeuralNet", "Records",
        ],
        swiftSettings: unoptimised),
    .testTarget(
        name: "TrainingTests",
        dependencies: ["Training", "SyntheticMotion", "Actions", "Poses", "NeuralNet", "Records", "TestSupport"],
        swiftSettings: strict),
    .testTarget(
        name: "SyntheticMotionTests",
        dependencies: ["SyntheticMotion", "Training", "Actions", "Poses", "NeuralNet", "TestSupport"],
        swiftSettings: strict),
    .testTarget(name: "WordsTests", dependencies: ["Words"], swiftSettings: unoptimised),
    .testTarget(
        name: "WorkoutsTests", dependencies: ["Workouts", "Actions", "TOMLSettings", "Contract", "TestSupport"],
        swiftSettings: unoptimised),
    .testTarget(
        name: "HistoryTests",
        dependencies: [
            "History", "Workouts", "Actions", "Contract", "Records", "TestSupport",
            .product(name: "GRDB", package: "GRDB.swift"),
        ],
        swiftSettings: unoptimised),
    .testTarget(
        name: "DemonstrationTests",
        dependencies: ["Demonstration", "History", "Workouts", "Actions", "Records", "TestSupport"],
        swiftSettings: unoptimised),
    .testTarget(
        name: "SharingTests",
        dependencies: ["Sharing", "History", "Workouts", "Contract", "Records", "Words", "TestSupport"],
        swiftSettings: unoptimised),
    .testTarget(
        name: "MessagingTests",
        dependencies: [
            "Messaging", "Broker", "History", "Workouts", "Actions", "Contract", "Records", "Words", "TestSupport",
        ],
        swiftSettings: unoptimised),
    .testTarget(
        name: "ConfigurationTests",
        dependencies: [
            "Sharing", "Configuration", "TOMLSettings", "Agent", "Actions", "Capture", "Messaging", "Broker",
            "Records",
            "TestSupport",
        ],
        swiftSettings: unoptimised),
    .testTarget(
        name: "AgentTests",
        dependencies: [
            "Agent", "Configuration", "TOMLSettings", "Workouts", "Actions", "Poses", "Capture", "History",
            "Sharing", "Messaging", "Broker", "NeuralNet", "Records",
            "TestSupport", .product(name: "Logging", package: "swift-log"),
        ],
        swiftSettings: unoptimised),
    .testTarget(
        name: "DiagnosticsTests",
        dependencies: [
            "Diagnostics", "Agent", "Configuration", "TOMLSettings", "History", "Messaging", "Broker", "Records",
            "TestSupport",
        ],
        swiftSettings: unoptimised),
    .testTarget(
        name: "SinkTests",
        dependencies: [
            "Sink", "HTTPServing", "TOMLSettings", "Contract", "Records", "TestSupport",
        ],
        swiftSettings: unoptimised),
    .testTarget(name: "HouseTests", swiftSettings: unoptimised),
    .testTarget(
        name: "TestSupportTests", dependencies: ["TestSupport", "CTestSupport"], swiftSettings: unoptimised),
    .testTarget(
        name: "SpotterTests", dependencies: ["Actions", "History", "Poses", "TestSupport", "Records"],
        swiftSettings: unoptimised),
    // Everything that reads what others wrote, for the fuzzer and for the tests that replay what it found.
    .target(
        name: "FuzzReaders",
        dependencies: [
            "Agent", "Configuration", "TOMLSettings", "Training", "Messaging", "Broker", "History", "Workouts",
            "Actions", "Poses", "Capture", "NeuralNet", "Records", "Sink", "CMosquitto", "TestSupport",
        ],
        path: "Tests/FuzzReaders", swiftSettings: strict),
    .testTarget(
        name: "WebTests",
        dependencies: [
            "Web", "HTTPServing", "Diagnostics", "Agent", "Configuration", "TOMLSettings", "Messaging", "Broker",
            "History", "Actions", "Poses", "Capture", "Records", "Words",
            "TestSupport", .product(name: "Logging", package: "swift-log"),
        ],
        swiftSettings: unoptimised),
    .testTarget(name: "FuzzCorpusTests", dependencies: ["FuzzReaders"], swiftSettings: strict),
    // Simulated nodes for `make fleet`: the real record log and publisher, people who were made up.
    .executableTarget(
        name: "fleet-nodes",
        dependencies: [
            "Messaging", "History", "Actions", "Contract", "Records",
            .product(name: "ArgumentParser", package: "swift-argument-parser"),
        ],
        path: "Tests/Fleet/Nodes", swiftSettings: strict),
]

/// Feeds damaged input to the readers.
let fuzzer: [Target] =
    libFuzzer.map { library in
        [
            .executableTarget(
                name: "Fuzz", dependencies: ["FuzzReaders"], path: "Tests/Fuzz",
                exclude: ["corpus", "dictionaries", "make_seeds.py"],
                swiftSettings: strict,
                linkerSettings: [.unsafeFlags(["-use-ld=lld", library]), .linkedLibrary("stdc++")])
        ]
    } ?? []

for (folder, targets) in [("Shared", shared), ("Node", node), ("Studio", studio), ("Sink", sink)] {
    for target in targets { target.path = "Sources/\(folder)/\(target.name)" }
}

let package = Package(
    name: "spotter",
    dependencies: packages.map { address, version in
        isCarried
            ? .package(path: "Vendor/" + (address.split(separator: "/").last ?? ""))
            : .package(url: address, exact: version)
    },
    targets: shared + node + studio + sink + tests + fuzzer,
    cxxLanguageStandard: .cxx17
)
