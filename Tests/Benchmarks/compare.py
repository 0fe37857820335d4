"""Compares the speed of Spotter's networks with LiteRT's and Debian's XNNPACK's, in turns, one thread each. Prints
Markdown tables.

    python3 Tests/Benchmarks/compare.py path/to/spotter [rounds [kernels]]

Without a name of kernels it measures all that the processor has. With one it leaves out Debian's XNNPACK. On shared
machines only ratios are meaningful, most of all those of the fastest runs.
"""
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import time

import numpy as np
from ai_edge_litert.interpreter import Interpreter

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
NETWORKS = {"landmark": "pose_landmark_full.tflite", "detector": "pose_detection.tflite"}
RUNS = 40
# bench.sh builds it if Debian's XNNPACK is installed.
PEER = ROOT / ".build/bench/xnnpack_peer"
# Its limit for each level of Spotter's kernels; on arm64 both use the NEON that they find.
LIMITS = {"avx512": "full", "avx2": "avx2", "portable": "sse"}
if platform.machine() != "x86_64":
    LIMITS = {"portable": "full"}
# Three quarters of the detector's weights are zeros. XNNPACK can use that as well, but with AVX it does not.
SPARSE = ("portable", "detector")


def litert(path):
    interpreter = Interpreter(str(path), num_threads=1)
    interpreter.allocate_tensors()
    entry = interpreter.get_input_details()[0]
    noise = np.random.default_rng(1).random(entry["shape"], dtype=np.float32)
    interpreter.set_tensor(entry["index"], noise)

    def measure():
        times = []
        for _ in range(RUNS):
            began = time.perf_counter()
            interpreter.invoke()
            times.append((time.perf_counter() - began) * 1e3)
        return times

    return measure


def spotter(program, *arguments):
    command = [program, "bench", "--json", "--brief", *arguments]
    # OpenBLAS settings of the environment must not affect the measurement.
    surroundings = {k: v for k, v in os.environ.items() if not k.startswith("OPENBLAS_")}
    answer = subprocess.run(command, cwd=ROOT, env=surroundings, capture_output=True, text=True, check=True)
    return json.loads(answer.stdout)


def xnnpack(level, name, weights):
    """Measures Debian's XNNPACK. Fails, and with it this script, if an output differs from LiteRT's."""
    command = [PEER, LIMITS[level], weights, PEER.parent / name, str(RUNS)]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)


def table(peer, ours, theirs):
    """One row for each of the peer's keys, (level, network, ...), from the fastest runs of all rounds in ms."""
    print(f"| network | kernels | Spotter, ms | {peer}, ms | ratio of the fastest | median ratio |")
    print("|---|---|---:|---:|---:|---:|")
    for (level, name, *weights), other in theirs.items():
        own = ours[level, name]
        median = statistics.median(a / b for a, b in zip(own, other))
        label = ", ".join([name, *weights])
        print(f"| {label} | {level} | {min(own):.2f} | {min(other):.2f} | {min(own) / min(other):.2f} | {median:.2f} |")
    print()


def main():
    program, rounds = str(pathlib.Path(sys.argv[1]).resolve()), int(sys.argv[2]) if len(sys.argv) > 2 else 12
    named = sys.argv[3:]
    levels = [level for level in named or ("avx512", "avx2", "portable") if subprocess.run(
        [program, "bench", "--kernels", level, "--rounds", "1", "--brief"], cwd=ROOT, capture_output=True).returncode == 0]
    interpreters = {name: litert(ROOT / "Models" / file) for name, file in NETWORKS.items()}
    # Take the fastest run of every round.
    rows = [(level, name) for level in levels for name in NETWORKS]
    ours, shipped = {row: [] for row in rows}, {row: [] for row in rows}
    limited = {(*row, weights): [] for row in rows for weights in ("dense", "sparse")
               if not named and PEER.exists() and row[0] in LIMITS and (weights == "dense" or row == SPARSE)}
    error = 0
    for number in range(rounds):
        print(f"\rround {number + 1} of {rounds}", end="", file=sys.stderr, flush=True)
        fastest = {name: min(measure()) for name, measure in interpreters.items()}
        for level in levels:
            stages = {s["name"]: s for s in spotter(program, "--kernels", level, "--rounds", str(RUNS))["stages"]}
            for name in NETWORKS:
                ours[level, name].append(stages[name]["ms_min"])
                shipped[level, name].append(fastest[name])
            for key in limited:
                if key[0] == level:
                    answer = xnnpack(*key)
                    limited[key].append(min(answer["ms"]))
                    error = max(error, answer["error"])
    print("\r\033[K", end="", file=sys.stderr)
    table("LiteRT", ours, shipped)
    if limited:
        print("At equal lanes: Debian's XNNPACK limited to the same instructions (portable: none of AVX). "
              f"Its outputs are LiteRT's within {error * 100:.2g} % of their range.")
        print()
        table("XNNPACK", ours, limited)
    elif not named:
        print("No comparison at equal lanes: Debian's XNNPACK (libxnnpack-dev) could not be installed or built.")
        print()


if __name__ == "__main__":
    main()
