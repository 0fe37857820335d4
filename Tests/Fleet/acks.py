"""The heart of the test: an acknowledgement promises that everything up to its position is stored. A client sees every
acknowledgement and looks into the database at once."""
import json
import threading
import time

import truth

# What a sink acknowledged wrongly may be stored a little later, so nothing may wait long for its check.
CHECKED_AT_ONCE = 150


class AckWatcher:
    """`client` is a paho client that is not connected; `path_of` names a node's history, or None while it is being
    replaced; `missing` says which of some (node, kind, id, rev) are not in the database, and raises OSError while it
    cannot be asked."""

    def __init__(self, client, port, path_of, missing):
        self.path_of, self.missing = path_of, missing
        self.lock = threading.Lock()
        # By node: the newest epoch and position, and those that were not checked yet.
        self.newest, self.waiting = {}, {}
        self.checked, self.violations, self.backwards = {}, [], []
        self.seen = self.records = self.skipped = 0
        self.slowest = 0.0
        self.client = client
        client.on_connect = lambda client, *_: client.subscribe("spotter/v1/+/+/ack/hq", 1)
        client.on_message = self._came
        client.reconnect_delay_set(1, 2)
        client.connect_async("127.0.0.1", port)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._check_all, daemon=True)

    def start(self):
        self.client.loop_start()
        self._thread.start()

    def stop(self):
        self._over.set()
        if self._thread.ident:
            self._thread.join(30)
        self.client.disconnect()
        self.client.loop_stop()

    def _came(self, client, userdata, message):
        try:
            said = json.loads(message.payload)
            node = message.topic.split("/")[3]
            position = (said["epoch"], int(said["seq"]))
        except (ValueError, KeyError, IndexError):
            self.violations.append({"topic": message.topic, "reason": "no acknowledgement"})
            return
        with self.lock:
            self.seen += 1
            before = self.newest.get(node)
            # The hub may deliver an older one again after a reconnect; only the newest is kept.
            if before and before[0] == position[0] and position[1] < before[1]:
                self.backwards.append((node, before[1], position[1]))
                return
            self.newest[node] = position
            self.waiting.setdefault(node, (time.monotonic(), {}))[1][position[0]] = position[1]

    def _check_all(self):
        try:
            while not self._over.wait(0.05):
                with self.lock:
                    taken = dict(list(self.waiting.items())[:CHECKED_AT_ONCE])
                    for node in taken:
                        del self.waiting[node]
                if taken:
                    self._check(taken)
        except Exception as error:  # Nothing may pass for checked that was not.
            self.violations.append({"reason": f"the check itself failed: {error!r}"})

    def _check(self, taken):
        rows, promises = [], {}
        for node, (since, positions) in taken.items():
            path = self.path_of(node)
            for epoch, seq in positions.items():
                first = self.checked.get((node, epoch), 0) + 1
                found = truth.between(path, epoch, first, seq) if path else None
                if found is None:
                    self.skipped += 1
                    continue
                promises[node] = (epoch, seq, since)
                rows += [(node, *row) for row in found]
        absent = self._ask(rows)
        if absent is None:
            return
        for node, kind, identity, rev in absent:
            epoch, seq, since = promises[node]
            self.violations.append({
                "node": node, "epoch": epoch, "seq": seq, "kind": kind, "id": identity, "rev": rev,
                "checked_after": round(time.monotonic() - since, 2)})
        for node, (epoch, seq, since) in promises.items():
            self.checked[(node, epoch)] = seq
            self.slowest = max(self.slowest, time.monotonic() - since)
        self.records += len(rows)

    def _ask(self, rows):
        """Asks until the database answers, because it is restarted now and then; None at the end of the run."""
        while rows:
            try:
                return self.missing(rows)
            except OSError:
                if self._over.wait(0.3):
                    return None
        return []

    def waits_for(self, positions):
        """The nodes whose last position was not acknowledged yet; `positions` gives each node's epoch and position."""
        with self.lock:
            return [node for node, position in positions.items() if position[1] and self.newest.get(node) != position]
