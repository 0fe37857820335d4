"""Frames a second on boards, from counted instructions; see board.sh. Prints a table in Markdown.

A frame's instructions give the cycles that a core takes at the least: its multiply-adds, its loads and stores, and all of
them have to pass. What it takes beyond that (waiting for memory and for earlier results) is a factor with two ends:

- best: what the same engine takes beyond its multiply-adds' least on this machine with AVX2, one thread.
- worst: what XNNPACK's published MobileNets take beyond theirs on a Raspberry Pi 4, four threads (its README, 2020:
  version 1 with 569 million multiply-adds 75 ms, version 2 with 300 million 44 ms, at 1.5 GHz).
"""
import json
import pathlib
import sys

frames, folder, few, many = int(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4]

# Clock; 128-bit multiply-adds, loads and stores, and instructions a cycle: Arm's software optimisation guides for the
# Cortex-A72 (whose two vector pipes make one of 128 bits) and A76.
BOARDS = {
    "Raspberry Pi 4": ("cortex-a72", 1.8e9, 1, 1, 3),
    "Raspberry Pi 5": ("cortex-a76", 2.4e9, 2, 2, 4),
}
PUBLISHED = [(569e6, 75e-3), (300e6, 44e-3)]
worst = max(4 * 1.5e9 * seconds / (operations / 4) for operations, seconds in PUBLISHED)


def per_frame(cpu):
    """Millions of instructions of a kind."""
    counts = [json.loads((folder / f"{cpu}.{n}").read_text().splitlines()[-1]) for n in (few, many)]
    return {kind: (counts[1][kind] - counts[0][kind]) / frames / 1e6 for kind in counts[0]}


here = json.loads((folder / "here").read_text())
landmark = next(stage for stage in here["stages"] if stage["name"] == "landmark")
best = here["peak_gflops"] * landmark["ms_min"] / (landmark["gflops"] * landmark["ms_median"])
print(f"beyond the least: {best:.2f} (this machine, landmark network with AVX2) to {worst:.2f} (published)")
print()
print("| | multiply-adds | loads, stores | all instructions | least ms | one core, frames/s | three threads |")
print("|---|---:|---:|---:|---:|---:|---:|")
for board, (cpu, clock, multiply_adds, loads, width) in BOARDS.items():
    count = per_frame(cpu)
    memory, total = count["vector_load_store"] + count["load_store"], sum(count.values())
    least = max(count["multiply_add"] / multiply_adds, memory / loads, total / width) * 1e6 / clock
    low, high = 1 / (least * max(best, worst)), 1 / (least * min(best, worst))
    # Three threads take 0.55 of the time of one: what two take here is 0.64, and the third adds less.
    print(
        f"| {board} | {count['multiply_add']:.0f} M | {memory:.0f} M | {total:.0f} M | {1000 * least:.0f} "
        f"| {low:.0f} to {high:.0f} | {low / 0.55:.0f} to {high / 0.55:.0f} |")
