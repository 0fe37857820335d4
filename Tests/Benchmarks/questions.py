#!/usr/bin/env python3
"""Measures what it costs a node to keep questions: questions.py SPOTTER [PEOPLE [ROUNDS]]

A recorded pose stream of ten minutes shows people who do sets and rest. The node reads it with `[learning]` switched off and on, by
turns. Printed: the processor time of both as shares of the ten minutes, their difference (the median over the rounds), and how many
bytes the questions of `keep_days` take, by the mean question of this run. The networks for poses do not run here, so that the
difference stands out.
"""
import json
import os
import pathlib
import sqlite3
import statistics
import subprocess
import sys
import tempfile

MINUTES = 10
MOTIONS = ["squat", "jumping_jack", "lunge", "push_up"]
WORK, REST = 40, 20  # seconds
QUESTIONS_A_WEEK, KEEP_DAYS = 10, 90


def clip(spotter, folder, motion, seconds, seed):
    """The lines of a synthetic clip: its head, and the joints of each frame."""
    out = folder / f"{motion}-{seconds}-{seed}"
    subprocess.run([spotter, "synthesize", "--motion", motion, "--clips", "1", "--seconds", str(seconds), "--seed", str(seed),
                    "--yaw", "45", "-o", out], check=True, capture_output=True)
    lines = next(out.rglob("*.poses.jsonl")).read_text().splitlines()
    rows = [json.loads(line) for line in lines]
    return rows[0], [row["poses"][0]["keypoints"] if row["poses"] else None for row in rows[1:]]


def stream(spotter, folder, people):
    """Writes the pose stream: everybody in a column of the picture."""
    columns = []
    for number in range(people):
        head, rest = clip(spotter, folder, "phone", REST, number)
        joints = []
        for turn in range(MINUTES):
            joints += clip(spotter, folder, MOTIONS[(number + turn) % len(MOTIONS)], WORK, number + people * (turn % 2))[1] + rest
        columns.append(joints)
    path = folder / "floor.poses.jsonl"
    with open(path, "w") as file:
        file.write(json.dumps(head | {"width": 1920, "height": 1080}) + "\n")
        for number in range(min(map(len, columns))):
            poses = [{"track": person + 1, "keypoints": [
                [round((x - 0.5) * 0.5 / max(people, 2) + (person + 0.5) / people, 5), y, c] if c > 0 else [0, 0, 0]
                for x, y, c in column[number]]} for person, column in enumerate(columns) if column[number]]
            file.write(json.dumps({"t": round(number / head["rate_hz"], 4), "poses": poses}) + "\n")
    return path


def run(spotter, folder, source, name, enabled):
    """The seconds of processor of one run, and its database."""
    database = folder / f"{name}.db"
    config = folder / f"{name}.toml"
    config.write_text(f"recognition.subjects = \"everyone\"\n[learning]\nenabled = {str(enabled).lower()}\n"
                      f"questions_a_week = {QUESTIONS_A_WEEK}\ntrain = false\n")
    before = os.times()
    subprocess.run([spotter, "run", "--source", source, "--database", database, "--config", config, "--no-mqtt", "-q"], check=True)
    after = os.times()
    return sum(after[2:4]) - sum(before[2:4]), database


def main():
    spotter = pathlib.Path(sys.argv[1]).resolve()
    people = int(sys.argv[2]) if len(sys.argv) > 2 else 4
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        source = stream(spotter, folder, people)
        off, on = [], []
        for number in range(rounds):
            off.append(run(spotter, folder, source, f"off{number}", False)[0])
            seconds, database = run(spotter, folder, source, f"on{number}", True)
            on.append(seconds)
        with sqlite3.connect(database) as db:
            questions, mean = db.execute("SELECT count(*), avg(length(poses)) FROM question").fetchone()
            sets = db.execute("SELECT count(*) FROM session_set").fetchone()[0]
    span = MINUTES * 60
    shares = [100 * statistics.median(values) / span for values in (off, on, [b - a for a, b in zip(off, on)])]
    most = QUESTIONS_A_WEEK * KEEP_DAYS / 7
    print(f"Keeping questions, {people} people, {sets} sets in {MINUTES} minutes, {rounds} rounds by turns:\n")
    print("| | |\n|---|---:|")
    print(f"| processor, without questions | {shares[0]:.2f} % of a core |")
    print(f"| processor, with questions | {shares[1]:.2f} % of a core |")
    print(f"| difference | {shares[2]:.2f} % of a core |")
    print(f"| questions in the run | {questions} |")
    print(f"| bytes of a question | {mean or 0:,.0f} |")
    print(f"| all of {KEEP_DAYS} days, {QUESTIONS_A_WEEK} a week | {(mean or 0) * most / 1e6:.1f} MB |")


main()
