"""A whole fleet on one machine: the hub, the store, two sinks, a gym, many nodes, and those who watch."""
import contextlib
import pathlib
import shutil
import signal
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Soak"))

import compare
import report
import truth
import watch
from acks import AckWatcher
from cluster import Cluster
from faults import Faults
from hub import Hub
from parts import NODES_IN_A_PROCESS, ROOT, Gym, Nodes, Sink, allow_many_files, password_file
from proxy import Proxy
from stored import Stored

class Fleet:
    """All parts, and what goes on with them: `begin`, `run`, `settle` and `verdict`, and in any case `stop`."""

    def __init__(self, options):
        self.options = options
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="spotter-fleet-"))
        # A thousand nodes have a thousand disks. On one disk their commits would be measured instead of the fleet.
        memory = pathlib.Path("/dev/shm")
        has_room = memory.is_dir() and shutil.disk_usage(memory).free > 4 << 30
        self.histories = pathlib.Path(tempfile.mkdtemp(prefix="spotter-fleet-", dir=memory if has_room else None))
        self.begun = time.monotonic()
        self.nodes, self.sinks, self.proxies, self.replaced = [], [], [], set()
        self.cluster = self.hub = self.gym = self.watch = self.acks = self.client = None
        self.faults = Faults(self, options.seed)
        self.lossy = min(100, options.nodes // 5)
        # Since when all nodes are connected and have caught up, after the crowd of the beginning.
        self.steady_since = None

    def say(self, text):
        print(time.strftime("[%H:%M:%S] ", time.gmtime(time.monotonic() - self.begun)) + text, flush=True)

    # Beginning

    def begin(self):
        allow_many_files()
        self.say("{nodes} nodes, {rate:.0f} records/s for {seconds:.0f} s, seed {seed}".format(**vars(self.options)))
        self._begin_store()
        names = [f"sp-n{number:04}" for number in range(self.options.nodes)]
        members = [("node", truth.site_of(name), name) for name in names] + [("gym", Gym.site), ("sink", "hq")]
        self.hub = Hub(self.folder / "hub", members=members)
        self.hub.start()
        port = self.begin_sinks()
        self._wait("a sink at work", 60, self.active_sink)
        self._begin_watching(port)
        self.begin_gym()
        self._begin_nodes()
        self.begun_making = time.monotonic()
        self.say("all nodes are open")

    def begin_sinks(self):
        """Two sinks; returns the port at which the hub answers, whichever server is dead."""
        # What a name with three addresses is to a sink.
        front = Proxy(*self.hub.mqtt_ports)
        for number in (1, 2):
            sink = Sink(self.options.sink, self.folder, number, front.port, self.cluster.conninfo(),
                        hole_seconds=self.options.hole_seconds)
            self.sinks.append(sink)
            sink.start()
        return front.port

    def begin_gym(self):
        self.gym = Gym(self.options.spotter, self.folder, self.histories, self.hub.mqtt_ports, self.options.seconds)
        self.gym.start()

    def _begin_store(self):
        self.cluster = Cluster(self.folder / "postgres")
        self.cluster.start()
        self.stored = Stored(self.cluster)
        self.stored.prepare(self.options.sink, self.folder)

    def _begin_watching(self, port):
        self.client = self.hub.client("tester", "fleet-orders")
        self.client.connect("127.0.0.1", port)
        self.client.loop_start()
        watcher = self.hub.client("tester", "fleet-watcher", clean=False)
        self.acks = AckWatcher(watcher, port, self.history_of, self.stored.missing)
        self.acks.start()
        self.watch = watch.Watch(self.sinks, self._parts, self._is_quiet, lambda: self.made)
        self.watch.start()

    def _begin_nodes(self):
        """The first nodes reach the hub through proxies, which can be cut."""
        self.proxies = [Proxy(port) for port in self.hub.mqtt_ports]
        bounds = ((0, self.lossy), (self.lossy, self.options.nodes))
        firsts = [first for begin, end in bounds for first in range(begin, end, NODES_IN_A_PROCESS)]
        for first, after in zip(firsts, firsts[1:] + [self.options.nodes]):
            ports = [proxy.port for proxy in self.proxies] if first < self.lossy else self.hub.mqtt_ports
            self.nodes.append(Nodes(self.options.simulator, self.folder, first, after - first, {
                "nodes": self.options.nodes, "folder": self.histories, "port": ports, "rate": self.options.rate,
                "seconds": self.options.seconds, "seed": self.options.seed, "nodes-per-site": truth.NODES_PER_SITE,
                "password-file": password_file(self.folder), "last-retry": self.options.last_retry}))
        for part in self.nodes:
            part.start()
        for part in self.nodes:
            if not part.wait("ready", 300):
                raise RuntimeError(f"the nodes do not start: {part.failure}\n{part.log()[-2000:]}")

    def restart_nodes(self, part):
        left = self.options.seconds - (time.monotonic() - self.begun_making)
        part.options = dict(part.options, seconds=max(1, left))
        part.forget("ready")
        part.start()
        if not part.wait("ready", 300):
            raise RuntimeError(f"the nodes do not start again: {part.failure}")

    # What others ask

    pending = property(lambda self: sum(part.pending for part in self.nodes))
    made = property(lambda self: sum(part.made for part in self.nodes))
    online = property(lambda self: sum(part.online for part in self.nodes))

    def active_sink(self):
        return next((sink for sink in self.sinks if sink.metrics().get("spotter_sink_active") == 1), None)

    def publish(self, topic, payload):
        self.client.publish(topic, payload, 1)

    def history_of(self, node):
        if node in self.replaced:
            return None
        path = self.histories / node / "spotter.db"
        return path if path.exists() else None

    def _is_quiet(self):
        return self.faults.is_quiet() and self.steady_since and time.monotonic() > self.steady_since + 10

    def _parts(self):
        one = watch.resident_mb
        parts = {f"hub server {i + 1}": ([p.pid], one) for i, p in enumerate(self.hub.processes) if p}
        parts |= {sink.name.replace("-", " "): ([sink.pid], one) for sink in self.sinks}
        server = self.cluster.pid()
        parts["PostgreSQL"] = (watch.family(server) if server else [], watch.proportional_mb)
        if self.gym:
            parts |= {"mosquitto": ([self.gym.broker.pid], one), "real node": ([self.gym.node.pid], one)}
        parts["simulated nodes"] = ([part.pid for part in self.nodes], one)
        return parts

    # Going on

    def run(self, plan):
        """Makes records for the given time, with these faults."""
        plan, told = sorted(plan, key=lambda fault: fault[0]), 0.0
        while (passed := time.monotonic() - self.begun_making) < self.options.seconds:
            while plan and plan[0][0] <= passed:
                _, name, action, words = plan.pop(0)
                self.say(f"now: {name}")
                self.faults.start(name, action, *words)
            self.look_after()
            if not self.steady_since and self.online == self.options.nodes and self.pending < 3 * self.options.rate:
                self.steady_since = time.monotonic()
                self.say("all nodes are connected")
            if time.monotonic() - told >= 10:
                told = time.monotonic()
                self.tell(f"{self.options.seconds - passed:.0f} s left")
            time.sleep(0.2)

    def look_after_nodes(self):
        for part in self.nodes:
            if part.failure:
                raise RuntimeError(f"the nodes failed: {part.failure}")

    def look_after(self):
        """Nobody but a fault may end a program. A sink is started again, as its service would do."""
        self.look_after_nodes()
        if not self.faults.sinks.locked():
            for sink in self.sinks:
                if not sink.is_running():
                    self.faults.failures.append(f"{sink.name} ended by itself: {sink.log()[-300:]}")
                    sink.start()

    def settle(self):
        """No more records. Waits until everything is acknowledged, or the time is over."""
        self.faults.finish()
        self.say("no more records; waiting until all are acknowledged")
        for part in self.nodes:
            part.order(do="stop")
        self.gym.finish()
        deadline, told, calm = time.monotonic() + self.options.patience, time.monotonic(), 0
        while time.monotonic() < deadline:
            if time.monotonic() - told >= 10:
                told = time.monotonic()
                self.tell(f"at most {deadline - told:.0f} s left")
            self.look_after()
            calm = calm + 1 if self.pending == 0 else 0
            # Twice, because the last records are written while `stop` is carried out.
            if calm >= 4 and not self.acks.waits_for(truth.positions(self.histories)):
                self.say("everything is acknowledged")
                return True
            time.sleep(1)
        waiting = self.acks.waits_for(truth.positions(self.histories))
        self.say(f"NOT in time: {len(waiting)} nodes without their last acknowledgement, such as {waiting[:5]}; the "
                 f"nodes themselves wait for that of {self.pending} records")
        return False

    def verdict(self, is_settled):
        """Ends the nodes and compares what they have with what is stored."""
        self.acks.stop()
        self.watch.stop()
        for part in self.nodes:
            part.quit()
        self.gym.stop()
        self.say("comparing")
        found = truth.collect(self.histories)
        result = compare.compare(found, self.stored, self.faults.deleted)
        return report.Report(self, found, result, is_settled)

    def tell(self, left):
        self.say(f"made {self.made}, stored {self.watch.value('stored')}, not acknowledged {self.pending}, "
                 f"online {self.online}, {left}")

    def _wait(self, what, seconds, condition):
        deadline = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > deadline:
                raise RuntimeError(f"{what}: not within {seconds} s\n" + "".join(s.log()[-1500:] for s in self.sinks))
            time.sleep(0.3)

    # Ending

    def show(self):
        """Ends everything but the database, which can be looked at until Ctrl-C."""
        for part in (*self.sinks, self.hub):
            part.stop()
        self.cluster.psql("CREATE ROLE spotter_dashboards LOGIN IN ROLE spotter_reader_all", dbname="postgres")
        self.say("the database stays until Ctrl-C; look at it with\n"
                 f'make dashboards DATABASE="{self.cluster.conninfo(user="spotter_dashboards")}"')
        with contextlib.suppress(KeyboardInterrupt):
            signal.pause()

    def stop(self):
        # A second Ctrl-C must not leave anything running.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
        for step in (self.acks, self.watch, *self.nodes, self.gym, *self.sinks, self.hub, self.cluster):
            try:
                if step:
                    step.stop()
            except Exception as error:  # The others must be stopped all the same.
                print(f"fleet: {error}", file=sys.stderr)

    def remove(self, keep):
        """Deletes everything; with `keep` the logs stay in .build/fleet."""
        if keep:
            place = ROOT / f".build/fleet/failed-{time.strftime('%Y%m%d-%H%M%S')}"
            place.mkdir(parents=True)
            for log in list(self.folder.rglob("*.log")) + list(self.folder.glob("*.json")):
                shutil.copy(log, place / log.name)
            self.say(f"the logs are in {place}")
        for folder in (self.folder, self.histories):
            shutil.rmtree(folder, ignore_errors=True)
