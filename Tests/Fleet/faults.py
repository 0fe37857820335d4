"""What goes wrong in a run, and when. Every fault says how long it disturbs, so that quiet times can be told apart."""
import contextlib
import json
import random
import threading
import time


class Faults:
    """Faults of one fleet. Each method is one fault; those that end later run on a thread of their own."""

    # How long after a fault its backlog may still delay records.
    SETTLING = 10
    # How long other faults may keep every sink from working: two outages of a minute one after another, and PostgreSQL's.
    PATIENCE = 300

    def __init__(self, fleet, seed):
        self.fleet, self.dice = fleet, random.Random(seed)
        self.done, self.failures, self.deleted = [], [], []
        self._lock = threading.Lock()
        self._working, self._settled = 0, 0.0
        self._threads = []
        # A server of the hub at a time, or no majority is left; a database at a time.
        # Held while sinks are killed, so that nobody else starts them.
        self._hub, self._database, self.sinks = threading.Lock(), threading.Lock(), threading.Lock()

    def is_quiet(self):
        with self._lock:
            return self._working == 0 and time.monotonic() >= self._settled

    def start(self, name, action, *words):
        """Lets a fault happen, beside whatever else goes on."""
        def happen():
            with self._lock:
                self._working += 1
            begin = time.monotonic()
            try:
                said = action(*words)
            except Exception as error:  # A fault that could not be made must not pass for one that was survived.
                said = f"failed: {str(error)[:200]}"
                self.failures.append(f"{name}: {str(error)[:1000]}")
            with self._lock:
                self._working -= 1
                self._settled = time.monotonic() + self.SETTLING
                self.done.append({"at": round(begin - self.fleet.begun, 1), "fault": name, "what": said,
                                  "seconds": round(time.monotonic() - begin, 1)})
            self.fleet.say(f"{name}: {said}")

        thread = threading.Thread(target=happen, daemon=True)
        self._threads.append(thread)
        thread.start()

    def finish(self, seconds=2 * PATIENCE):
        """Waits until every fault is over."""
        deadline = time.monotonic() + seconds
        for thread in self._threads:
            thread.join(max(0.1, deadline - time.monotonic()))
            if thread.is_alive():
                self.failures.append("a fault did not end in time")

    # The faults

    def kill_hub(self, away):
        with self._hub:
            number = self.dice.randrange(3)
            self.fleet.hub.kill(number)
            time.sleep(away)
            self.fleet.hub.restart(number)
            return f"hub server {number + 1} was dead for {away:.0f} s"

    def kill_sink(self, away):
        with self.sinks:
            sink = self._sink_at_work()
            sink.kill()
            time.sleep(away)
            sink.start()
            return f"{sink.name}, at work, was dead for {away:.0f} s"

    def _sink_at_work(self):
        """The sink that works; while the database is away none does."""
        deadline = time.monotonic() + self.PATIENCE
        while time.monotonic() < deadline:
            sink = self.fleet.active_sink()
            if sink:
                return sink
            time.sleep(0.3)
        raise RuntimeError(f"no sink was at work for {self.PATIENCE} s")

    def kill_sinks(self, away):
        with self.sinks:
            for sink in self.fleet.sinks:
                sink.kill()
            time.sleep(away)
            for sink in self.fleet.sinks:
                sink.start()
            return f"both sinks were dead for {away:.0f} s"

    def kill_hub_and_sink(self, away):
        with self._hub, self.sinks:
            number, sink = self.dice.randrange(3), self.fleet.active_sink()
            self.fleet.hub.kill(number)
            if sink:
                sink.kill()
            time.sleep(away)
            if sink:
                sink.start()
            self.fleet.hub.restart(number)
            return f"hub server {number + 1} and {sink.name if sink else 'no sink'} were dead for {away:.0f} s"

    def restart_database(self):
        with self._database:
            self.fleet.cluster.restart("immediate")
            return "PostgreSQL was restarted as after a crash"

    def stop_database(self, away):
        with self._database:
            self.fleet.cluster.stop("immediate")
            time.sleep(away)
            self.fleet.cluster.start()
            return f"PostgreSQL was away for {away:.0f} s"

    def cut_network(self, away):
        for proxy in self.fleet.proxies:
            proxy.mode("cut")
        time.sleep(away)
        for proxy in self.fleet.proxies:
            proxy.mode("pass")
        return f"{self.fleet.lossy} nodes had no network for {away:.0f} s"

    def kill_gym(self, away):
        self.fleet.gym.broker.kill()
        time.sleep(away)
        self.fleet.gym.start_broker()
        return f"the gym's mosquitto was dead for {away:.0f} s"

    def kill_nodes(self, away):
        part = self.dice.choice(self.fleet.nodes)
        with part.busy:
            part.kill()
            time.sleep(away)
            self.fleet.restart_nodes(part)
        return f"{part.count} nodes were dead for {away:.0f} s"

    def restore_node(self, wait):
        part, number = self._node()
        with part.busy:
            node = f"sp-n{number:04}"
            self.fleet.replaced.add(node)
            try:
                part.order(do="restore", node=number, seconds=wait)
                said = part.wait("restored", wait + 60, number=number)
                part.forget("restored")
            finally:
                self.fleet.replaced.discard(node)
        if not said:
            raise RuntimeError(f"{node} was not restored")
        return f"{node} was restored from a backup {wait:.0f} s old"

    def delete_session(self):
        """A session is deleted at its node. A message that names it, and fits no schema, was rejected before."""
        part, number = self._node()
        with part.busy:
            part.order(do="pick", node=number)
            said = part.wait("picked", 30, number=number)
            part.forget("picked")
            if not said or not said["id"]:
                return "no session had ended yet"
            node, site, session = said["node"], said["site"], said["id"]
            self._reject(site, node, session)
            part.order(do="delete", node=number, id=session)
            answer = part.wait("deleted", 60, id=session)
        if not answer or answer["outcome"] != "deleted":
            raise RuntimeError(f"{session} was not deleted: {answer}")
        self.deleted.append((node, session))
        return f"session {session} of {node} was deleted"

    def _reject(self, site, node, session):
        topic = f"spotter/v1/{site}/{node}/rec/session"
        payload = json.dumps({"v": 1, "node": node, "site": site, "id": session, "type": "session", "rev": "many"})
        self.fleet.publish(topic, payload)
        deadline = time.monotonic() + self.PATIENCE
        while time.monotonic() < deadline:
            # The database may be away just now.
            with contextlib.suppress(OSError):
                if self.fleet.stored.rejected(session):
                    return
            time.sleep(0.5)
        raise RuntimeError("a message that fits no schema was not put aside")

    def _node(self):
        """A node that is not cut off, and the process it belongs to."""
        part = self.dice.choice(self.fleet.nodes[1:] or self.fleet.nodes)
        return part, part.first + self.dice.randrange(part.count)


def scheduled(faults, duration):
    """The faults of `make fleet`: (when, name, action, words), all within the time in which records are made."""
    away = max(4.0, min(30.0, duration / 16))
    at = [
        (0.10, "node restored", faults.restore_node, duration / 10),
        (0.16, "hub server killed", faults.kill_hub, away),
        (0.34, "sink killed", faults.kill_sink, min(10, away)),
        (0.46, "hub server and sink killed in one second", faults.kill_hub_and_sink, away),
        (0.62, "PostgreSQL restarted", faults.restart_database),
        (0.68, "network lost", faults.cut_network, min(60.0, duration / 6)),
        (0.86, "session deleted", faults.delete_session),
    ]
    shift = lambda: faults.dice.uniform(-0.01, 0.01)
    return [((share + shift()) * duration, name, action, words) for share, name, action, *words in at]


def random_ones(faults, duration):
    """The faults of `make fleet-chaos`: one after another, some at the same time, until the last tenth."""
    dice = faults.dice
    kinds = [
        ("hub server killed", faults.kill_hub, lambda: [dice.uniform(2, 60)], 4),
        ("sink killed", faults.kill_sink, lambda: [dice.uniform(0, 30)], 4),
        ("both sinks killed", faults.kill_sinks, lambda: [dice.uniform(1, 60)], 2),
        ("hub server and sink killed in one second", faults.kill_hub_and_sink, lambda: [dice.uniform(2, 40)], 3),
        ("PostgreSQL restarted", faults.restart_database, lambda: [], 2),
        ("PostgreSQL stopped", faults.stop_database, lambda: [dice.uniform(5, 60)], 2),
        ("network lost", faults.cut_network, lambda: [dice.uniform(5, 120)], 2),
        ("mosquitto killed", faults.kill_gym, lambda: [dice.uniform(1, 30)], 2),
        ("nodes killed", faults.kill_nodes, lambda: [dice.uniform(1, 20)], 2),
        ("node restored", faults.restore_node, lambda: [dice.uniform(5, 60)], 2),
        ("session deleted", faults.delete_session, lambda: [], 2),
    ]
    plan, moment = [], 20.0
    while moment < duration * 0.9:
        name, action, words, _ = dice.choices(kinds, [kind[3] for kind in kinds])[0]
        plan.append((moment, name, action, words()))
        moment += dice.expovariate(1 / 25)
    return plan
