#!/usr/bin/env python3
"""How fast a sink catches up, everything on this machine: hub, PostgreSQL, nodes and the sink.

    catch_up.py                                40,000 records of 200 nodes wait in the hub
    catch_up.py --records 200000 --json f.json
    catch_up.py --away                         they wait in the nodes, as after hours without the hub

First the nodes make their records while the sink is away; the hub keeps them for it. Then the nodes make no more, the
sink starts, and the time is taken until everything is stored and acknowledged. With --away it is the hub that the nodes
cannot reach. Ends with 0 if what is stored is what was made.
"""
import argparse
import json
import pathlib
import signal
import sys
import time

import compare
import truth
import watch
from parts import ROOT, Sink
from scene import Fleet


class CatchUp(Fleet):
    """A fleet with one sink, without a gym and without faults."""

    def begin_sinks(self):
        """The sink that is measured speaks to a server of the hub directly."""
        self.sinks = [Sink(self.options.sink, self.folder, 1, self.hub.mqtt_ports[0], self.cluster.conninfo(),
                           batch=self.options.batch)]
        self.sinks[0].start()
        return self.hub.mqtt_ports[0]

    def begin_gym(self):
        pass

    def history_of(self, node):
        """No acknowledgement is looked up, which would slow the database down."""
        return None

    def measure(self):
        sink = self.sinks[0]
        if self.options.away:
            for proxy in self.proxies:
                proxy.mode("cut")
        else:
            # From here on the hub knows the sink's client, and keeps everything for it.
            sink.stop()
        self._make_records()
        begin = time.monotonic()
        if self.options.away:
            for proxy in self.proxies:
                proxy.mode("pass")
        else:
            sink.start()
        peak, processor = self._catch_up(sink, begin)
        seconds = time.monotonic() - begin
        return seconds, peak, processor

    def _make_records(self):
        while (made := self.made) < self.options.records:
            self.look_after_nodes()
            self.say(f"made {made} of {self.options.records}")
            time.sleep(5)
        for part in self.nodes:
            part.order(do="stop")
        if self.options.away:
            time.sleep(5)
            return
        # What the nodes made must be in the hub, or the nodes would be measured.
        before, since = None, time.monotonic()
        while time.monotonic() - since < 6:
            messages = self.hub.monitor(0, "jsz").get("messages")
            if messages != before:
                before, since = messages, time.monotonic()
            time.sleep(1)

    def _catch_up(self, sink, begin):
        """Waits until everything is acknowledged; returns the sink's most memory, and the processor time it took."""
        positions, peak, told = truth.positions(self.histories), 0.0, begin
        owed = sum(last for _, last in positions.values())
        self.say(f"{owed} records wait; catching up")
        while time.monotonic() < begin + self.options.patience:
            peak = max(peak, watch.resident_mb(sink.pid))
            left = self.acks.waits_for(positions)
            if not left:
                return peak, watch.processor_seconds(sink.pid)
            if time.monotonic() - told >= 5:
                told = time.monotonic()
                self.say(f"{self.pending} records of {len(left)} nodes are not acknowledged")
            time.sleep(0.1)
        raise RuntimeError(f"not caught up within {self.options.patience:.0f} s")

    def figures(self, seconds, peak, processor):
        """Stops the nodes, compares, and says what was seen."""
        self.watch.stop()
        for part in self.nodes:
            part.quit()
        found = truth.collect(self.histories)
        result = compare.compare(found, self.stored, [])
        return {
            "records": found.made, "nodes": self.options.nodes, "waited_in": "nodes" if self.options.away else "hub",
            "batch": self.options.batch, "seconds": round(seconds, 1),
            "records_per_second": round(found.made / seconds), "sink_memory_mb": round(peak),
            "sink_processor_seconds": round(processor, 1), "items": len(found.items), "stored": result.stored,
            "good": result.is_good,
            "memory_mb": {name: round(amount) for name, amount in sorted(self.watch.memory.items())},
            "problems": [str(one) for one in result.missing + result.wrong + result.foreign + result.sums][:20]}


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=40_000)
    parser.add_argument("--nodes", type=int, default=200)
    parser.add_argument("--rate", type=float, default=2000, help="records a second that the nodes make")
    parser.add_argument("--batch", type=int, default=500, help="the sink's sink.batch")
    parser.add_argument("--away", action="store_true", help="the records wait in the nodes")
    parser.add_argument("--patience", type=float, default=1800)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=pathlib.Path, help="where to write the figures")
    for name, program in (("sink", "spotter-sink"), ("simulator", "fleet-nodes")):
        parser.add_argument(f"--{name}", default=str(ROOT / ".build/release" / program), help="the program")
    options = parser.parse_args()
    options.seconds, options.last_retry, options.hole_seconds = 3600, 5, 30
    return options


def main(options):
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    fleet, is_good = CatchUp(options), False
    if options.away:
        fleet.lossy = options.nodes
    try:
        fleet.begin()
        figures = fleet.figures(*fleet.measure())
        is_good = figures["good"]
        print(json.dumps(figures, indent=1), flush=True)
        if options.json:
            options.json.write_text(json.dumps(figures, indent=1))
    finally:
        fleet.stop()
        fleet.remove(keep=not is_good)
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main(parse()))
