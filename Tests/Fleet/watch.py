"""What is measured while a fleet runs: how much is stored and how late, the longest stall, the memory of each part."""
import os
import pathlib
import threading
import time


def resident_mb(pid):
    """The resident memory of a process; 0 when it is gone."""
    try:
        text = pathlib.Path(f"/proc/{pid}/status").read_text()
        return int(text.split("VmRSS:")[1].split()[0]) / 1024
    except (OSError, IndexError):
        return 0


def proportional_mb(pid):
    """The process's share of the memory that several use together, as PostgreSQL's do."""
    try:
        text = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text()
        return int(text.split("\nPss:")[1].split()[0]) / 1024
    except (OSError, IndexError):
        return 0


def processor_seconds(pid):
    """The processor time that a process has used; 0 when it is gone."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, IndexError):
        return 0


def family(pid):
    """A process and its children."""
    try:
        children = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []
    return [pid] + [int(child) for child in children]


class Counter:
    """A counter over all lives of its programs: it begins again at 0 with each."""

    def __init__(self):
        self.total, self.last = 0.0, {}

    def update(self, who, value):
        before = self.last.get(who, 0)
        self.last[who] = value
        gain = value - before if value >= before else value
        self.total += gain
        return gain


class Watch:
    """Looks at all parts every second, on a thread of its own.

    `sinks` are the sinks, `parts` gives the process ids of each part by name, `is_quiet` says whether no fault is at
    work, `made` how many records the nodes have made.
    """

    NAMES = {
        "stored": "spotter_sink_records_stored_total", "known": "spotter_sink_records_known_total",
        "rejected": "spotter_sink_rejected_total", "acks": "spotter_sink_acks_total",
        "syncs": "spotter_sink_syncs_total", "batches": "spotter_sink_batches_total"}

    def __init__(self, sinks, parts, is_quiet, made):
        self.sinks, self.parts, self.is_quiet, self.made = sinks, parts, is_quiet, made
        self.counters = {name: Counter() for name in self.NAMES}
        self.delays, self.quiet_delays = {}, {}
        self.memory = {}
        # The sinks' memory at each minute of the run, in MB.
        self.sink_memory = []
        self.stall, self.stalled_at, self._moved, self._made = 0.0, 0.0, time.monotonic(), 0
        self.begun, self.history = time.monotonic(), []
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def start(self):
        self._thread.start()

    def stop(self):
        self._over.set()
        if self._thread.ident:
            self._thread.join(10)

    def value(self, name):
        return int(self.counters[name].total)

    def _look(self):
        turn = 0
        while not self._over.wait(1):
            stored = self.value("stored")
            for sink in self.sinks:
                self._read(sink)
            self._measure_stall(self.value("stored") > stored)
            if turn % 2 == 0:
                self._measure_memory()
            self.history.append((time.monotonic() - self.begun, self.value("stored")))
            turn += 1

    def _read(self, sink):
        metrics = sink.metrics()
        for name, key in self.NAMES.items():
            if key in metrics:
                self.counters[name].update(sink.name, metrics[key])
        for key, value in metrics.items():
            if key.startswith("spotter_sink_delay_seconds_bucket"):
                limit = float(key.split('le="')[1].split('"')[0])
                counter = self.delays.setdefault(limit, Counter())
                gain = counter.update(sink.name, value)
                self.quiet_delays[limit] = self.quiet_delays.get(limit, 0) + (gain if self.is_quiet() else 0)

    def _measure_stall(self, has_moved):
        """A stall begins when a record is made, and ends when anything is stored."""
        now, made = time.monotonic(), self.made()
        if has_moved:
            self._moved, self._made = now, made
        elif made <= self._made:
            # Nothing new waits. A process of nodes that was killed counts from 0 again.
            self._moved, self._made = now, made
        elif now - self._moved > self.stall:
            self.stall, self.stalled_at = now - self._moved, self._moved - self.begun

    def _measure_memory(self):
        for name, (pids, measure) in self.parts().items():
            amount = sum(measure(pid) for pid in pids if pid)
            self.memory[name] = max(self.memory.get(name, 0), amount)

        if time.monotonic() - self.begun >= 60 * (len(self.sink_memory) + 1):
            self.sink_memory.append([round(resident_mb(sink.pid), 1) for sink in self.sinks])

    def delay(self, share, quiet=True):
        """The delay that this share of the records did not exceed, seconds, by linear interpolation in its bucket; None
        without records."""
        buckets = sorted(
            self.quiet_delays.items() if quiet else ((limit, c.total) for limit, c in self.delays.items()))
        if not buckets or buckets[-1][1] <= 0:
            return None
        wanted, below, floor = share * buckets[-1][1], 0.0, 0.0
        for limit, count in buckets:
            if count >= wanted and count > below:
                if limit == float("inf"):
                    return floor
                return floor + (limit - floor) * (wanted - below) / (count - below)
            below, floor = count, limit if limit != float("inf") else floor
        return floor
