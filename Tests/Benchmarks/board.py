"""Estimates frames a second on boards from counted instructions; see board.sh. Prints a table in Markdown.

A frame's instructions give the least time that a core can take: it is limited by its multiply-adds, its loads and
stores, and all instructions together. Waiting for memory and for earlier results adds a factor. That factor comes from
XNNPACK's published times of MobileNet 1 (569 million multiplications) and 2 (300 million) on similar processors (its
README, 2020). The README does not name the clocks:

- one thread: Pixel 2, assumed to have Cortex-A73 cores of 2.35 GHz, 86 and 53 ms;
- four threads: Raspberry Pi 4, assumed to run at 1.5 GHz, 75 and 44 ms.

The Cortex-A76 runs the landmark network in half precision. A vector of eight 16-bit floats counts like one of four floats. The
published times are of single precision.
"""
import json
import pathlib
import sys

frames, folder, few, many = int(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4]

# Clock; 128-bit multiply-adds, loads and stores, and instructions a cycle. Assumed: 8 operations of single precision a
# cycle for the Cortex-A72 and A73, 16 for the A76.
BOARDS = {
    "Raspberry Pi 4, 1.8 GHz": ("cortex-a72", 1.8e9, 1, 1, 3),
    "Raspberry Pi 5, 2.4 GHz": ("cortex-a76", 2.4e9, 2, 2, 4),
}
MULTIPLICATIONS = (569e6, 300e6)
ALONE = [seconds * 2.35e9 / (count / 4) for count, seconds in zip(MULTIPLICATIONS, (86e-3, 53e-3))]
TOGETHER = [4 * seconds * 1.5e9 / (count / 4) for count, seconds in zip(MULTIPLICATIONS, (75e-3, 44e-3))]


def per_frame(cpu):
    """Millions of instructions of each kind."""
    counts = [json.loads((folder / f"{cpu}.{n}").read_text().splitlines()[-1]) for n in (few, many)]
    return {kind: (counts[1][kind] - counts[0][kind]) / frames / 1e6 for kind in counts[0]}


print(f"beyond the least: {min(ALONE):.2f} to {max(ALONE):.2f} alone, {min(TOGETHER):.2f} to {max(TOGETHER):.2f} for four")
print()
print("| a frame with one person | multiply-adds | loads, stores | all | at the least | frames/s, one core | three threads |")
print("|---|---:|---:|---:|---:|---:|---:|")
for board, (cpu, clock, multiply_adds, loads, width) in BOARDS.items():
    count = per_frame(cpu)
    memory, total = count["vector_load_store"] + count["load_store"], sum(count.values())
    least = max(count["multiply_add"] / multiply_adds, memory / loads, total / width) * 1e6 / clock
    alone = [1 / (least * factor) for factor in sorted(ALONE, reverse=True)]
    # From four cores that share one memory, to the measured gain of two threads (0.64) with less for a third.
    together = (3 / (least * max(TOGETHER)), alone[1] / 0.55)
    print(
        f"| {board} | {count['multiply_add']:.0f} M | {memory:.0f} M | {total:.0f} M | {1000 * least:.0f} ms "
        f"| {alone[0]:.0f} to {alone[1]:.0f} | {together[0]:.0f} to {together[1]:.0f} |")
