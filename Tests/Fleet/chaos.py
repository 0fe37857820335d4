#!/usr/bin/env python3
"""An hour of random kills and outages, in an order that the seed decides, with the same proof at the end as fleet.py.

    chaos.py --minutes 60 --seed 1
    chaos.py --minutes 10 --nodes 50 --rate 40

Servers of the hub, sinks, PostgreSQL, the gym's broker, the network and whole processes of nodes fail, at times several
at once. Two servers of the hub are never dead at the same time: then nothing could be acknowledged, by design.
"""
import sys

import fleet
from faults import random_ones


def parse():
    words = sys.argv[1:]
    minutes = 60.0
    if "--minutes" in words:
        place = words.index("--minutes")
        minutes = float(words[place + 1])
        del words[place:place + 2]
    options = fleet.parse(words)
    options.seconds = minutes * 60
    if "--nodes" not in words:
        options.nodes = 300
    if "--rate" not in words:
        options.rate = 90.0
    if "--patience" not in words:
        options.patience = 600.0
    return options


if __name__ == "__main__":
    sys.exit(fleet.main(parse(), random_ones))
