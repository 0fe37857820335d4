#!/usr/bin/env python3
"""A whole fleet on one machine, with faults, and the proof that nothing is missing, wrong or twice.

    fleet.py                      1,000 nodes and a gym, about 13 minutes
    fleet.py --small              50 nodes, two to three minutes
    fleet.py --calm               without faults, five minutes: how late records are
    fleet.py --json figures.json  writes the figures, too
    fleet.py --keep               leaves the database running at the end, until Ctrl-C, to look at it

Three servers of the hub, PostgreSQL, two sinks, a real gym and simulated nodes with the real record log and publisher
make records while servers, sinks, the database and the network fail. Then the nodes stop making records, and everything
must be acknowledged. What the nodes' databases hold is compared with PostgreSQL. Ends with 0 if nothing is missing.
"""
import argparse
import pathlib
import signal
import sys

from faults import scheduled
from parts import ROOT
from scene import Fleet


def parse(words=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--small", action="store_true", help="50 nodes, 2 minutes")
    parser.add_argument("--calm", action="store_true", help="without faults")
    parser.add_argument("--nodes", type=int)
    parser.add_argument("--rate", type=float, help="records a second of all nodes together")
    parser.add_argument("--seconds", type=float, help="how long records are made")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--patience", type=float, help="seconds until everything must be acknowledged")
    parser.add_argument("--json", type=pathlib.Path, help="where to write the figures")
    parser.add_argument("--keep", action="store_true", help="leave the database running until Ctrl-C")
    for name, program in (("sink", "spotter-sink"), ("spotter", "spotter"), ("simulator", "fleet-nodes")):
        parser.add_argument(f"--{name}", default=str(ROOT / ".build/release" / program), help="the program")
    options = parser.parse_args(words)
    usual = ((50, 20, 80, 150, 5, 10) if options.small else
             (1000, 180, 300, 240, 30, 30) if options.calm else (1000, 180, 480, 240, 30, 30))
    options.nodes, options.rate, options.seconds, options.patience = (
        given if given is not None else default
        for given, default in zip((options.nodes, options.rate, options.seconds, options.patience), usual))
    options.hole_seconds, options.last_retry = usual[4:]
    return options


def main(options, plan=scheduled):
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    fleet, is_good = Fleet(options), False
    try:
        fleet.begin()
        fleet.run([] if options.calm else plan(fleet.faults, options.seconds))
        found = fleet.verdict(fleet.settle())
        found.show()
        if options.json:
            found.write(options.json)
        is_good = found.is_good
        if not is_good:
            found.write(fleet.folder / "report.json")
        if options.keep:
            fleet.show()
    finally:
        fleet.stop()
        fleet.remove(keep=not is_good)
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main(parse()))
