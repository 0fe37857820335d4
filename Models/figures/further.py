"""What finetune.py and newlabels.py share: training a model further on one part of a collection, and judging it on another."""
import argparse
import json
import random
import subprocess
import tempfile
import time
from pathlib import Path


def options(description, clips, seeds, extend=lambda parser: None):
    """The arguments of both, read from the command line; `extend` may add others."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("spotter")
    parser.add_argument("model")
    parser.add_argument("collection", type=Path)
    parser.add_argument("--clips", type=int, nargs="+", default=clips)
    parser.add_argument("--seeds", type=int, nargs="+", default=seeds)
    parser.add_argument("--arguments", default="", help="more arguments for the training")
    extend(parser)
    return parser.parse_args()


def labels(collection, seed):
    """The collection's folders in order, each with its clips in the seed's order."""
    source = random.Random(seed)
    for label in sorted(path for path in collection.iterdir() if path.is_dir()):
        clips = sorted(label.iterdir())
        source.shuffle(clips)
        yield label, clips


def link(clip, folder):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / clip.name).symlink_to(clip.resolve())


def evaluate(spotter, model, folder):
    answer = subprocess.run([spotter, "evaluate", model, folder, "--json"], capture_output=True, text=True)
    if answer.returncode:
        raise SystemExit(answer.stderr)
    return json.loads(answer.stdout)["clips"]


def further_training(chosen, folder, own, seed):
    """The command that trains the model further."""
    return [chosen.spotter, "train", folder / "learn", "--from", chosen.model, "--seed", str(seed), "--force", "-o", own,
            *chosen.arguments.split()]


def measure(chosen, draw, count, seed, command=further_training):
    """Trains by a command on folder/learn and judges on folder/judge, which `draw` fills.

    Returns the seconds of the training, and the figures of the model before and after it.
    """
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        draw(chosen.collection, count, seed, folder)
        own, begin = folder / "own.safetensors", time.monotonic()
        training = subprocess.run(command(chosen, folder, own, seed), capture_output=True, text=True)
        seconds = time.monotonic() - begin
        # A model that is not ready is judged as well.
        unready = folder / "own-not-ready.safetensors"
        if training.returncode == 1 and unready.exists():
            own = unready
        elif training.returncode:
            raise SystemExit(training.stderr)
        before = evaluate(chosen.spotter, chosen.model, folder / "judge")
        return seconds, before, evaluate(chosen.spotter, own, folder / "judge")


def spread(values, scale=100, unit=" %"):
    """The mean and the range."""
    mean = sum(values) / len(values) * scale
    return f"{mean:.1f}{unit} ({min(values) * scale:.1f} to {max(values) * scale:.1f})"
