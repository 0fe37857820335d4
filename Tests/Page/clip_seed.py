"""Clips that were recorded earlier: the true joints of bundled clips, as files that `spotter train` reads."""
import pathlib
import subprocess
import sys

TESTS = pathlib.Path(__file__).resolve().parents[1]
# Of each label one clip by each of two people, so that one of them can be held out.
CLIPS = {
    "squat/anna": "squat_front", "squat/ben": "squat_45", "lunge/anna": "lunge_front", "lunge/ben": "lunge_45",
    "other/anna": "walk_stand", "other/ben": "stand_45",
}


def fill(node):
    for number, (path, clip) in enumerate(CLIPS.items()):
        add(node, f"{path}/20261101T1015{number:02}000", clip)


def add(node, name, clip, rounds=1):
    """A clip with the name LABEL/PERSON/TIME, played so many times."""
    file = node.folder / "clips" / (name + ".poses.jsonl")
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("w") as output:
        subprocess.run([sys.executable, TESTS / "Conformance" / "loop_clip.py",
                        TESTS / "Fixtures" / "clips" / (clip + ".json"), str(rounds)], stdout=output, check=True)
