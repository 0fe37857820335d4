#!/usr/bin/env python3
"""Measures how long after the end of a repetition the page shows its count, on paced clips with exact truth.

usage: delay.py SPOTTER CLIP.json …

Each CLIP.json is a rendered clip's truth beside its video CLIP.mp4, as in Tests/Fixtures/clips: of each person it holds
the `repetitions` with their exercise, start and end in seconds. The node plays the video at its own speed with a workout of that exercise, and this program
follows the page's event stream as a browser does. It prints, for every repetition that was counted, the seconds from its
end in the video to the event that first shows it, and the median. Times before 0 are counts before the end: a repetition
counts once the motion has turned back far enough.
"""
import http.client
import json
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from datetime import datetime
from pathlib import Path


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def events(port):
    """(name, JSON, time of arrival) of the page's stream."""
    end = time.time() + 30
    while True:
        try:
            stream = urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/live", timeout=30)
            break
        except OSError:
            if time.time() > end:
                raise
            time.sleep(0.05)
    name = ""
    for line in stream:
        text = line.decode().rstrip()
        if text.startswith("event: "):
            name = text[7:]
        elif text.startswith("data: "):
            yield name, json.loads(text[6:]), time.time()


def measure(program, clip, label, ends):
    """Seconds from the end of each repetition to its count."""
    video, port = clip.with_suffix(".mp4").resolve(), free_port()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "plan.toml").write_text(f'[[step]]\naction = "{label}"\nrepetitions = 1000\n')
        (folder / "config.toml").write_text(
            f'web.enabled = true\nweb.listen = "127.0.0.1:{port}"\nmqtt.enabled = false\n'
            f'history.path = "{folder}/spotter.db"\n[[camera]]\nid = "clip"\nsource = "{video}"\n')
        node = subprocess.Popen([program, "run", "--config", folder / "config.toml", "--plan", folder / "plan.toml",
                                 "--realtime", "--quiet"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        shown, started = {}, None
        try:
            for kind, event, arrival in events(port):
                cameras = event["cameras"] if kind == "state" else [event] if kind == "camera" else []
                for workout in [one for camera in cameras for one in camera.get("workouts", [])]:
                    started = started or workout["started"]
                    for count in range(1, workout["reps"] + 1):
                        shown.setdefault(count, arrival)
        except (OSError, http.client.HTTPException):
            pass  # The node ends with the recording.
        finally:
            node.kill()
            node.wait()
    if started is None:
        return []
    begin = datetime.fromisoformat(started.replace("Z", "+00:00")).timestamp()
    return [shown[number] - (begin + end) for number, end in enumerate(sorted(ends), 1) if number in shown]


def main():
    program, clips = sys.argv[1], [Path(name) for name in sys.argv[2:]]
    everything, later = [], []
    print("| clip | repetitions | first count, s | later counts, median s | most |\n|---|---|---|---|---|")
    for clip in clips:
        truth = json.loads(clip.read_text())
        repetitions = truth["people"][0]["repetitions"]
        label = repetitions[0]["exercise"]
        ends = [one["end"] for one in repetitions if one["exercise"] == label]
        delays = measure(program, clip, label, ends)
        # A set is reported with its second repetition, so the first one waits for it.
        own = delays[2:]
        everything += delays
        later += own
        if own:
            print(f"| {clip.stem} | {len(delays)} of {len(ends)} | {delays[0]:.2f} | {statistics.median(own):.2f} | "
                  f"{max(own):.2f} |")
        else:
            print(f"| {clip.stem} | {len(delays)} of {len(ends)} | - | - | - |")
    if later:
        print(f"\nfrom the third repetition on: median {statistics.median(later):.2f} s, "
              f"90 % within {sorted(later)[int(0.9 * len(later))]:.2f} s, {len(later)} repetitions")


if __name__ == "__main__":
    main()
