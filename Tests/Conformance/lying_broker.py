#!/usr/bin/env python3
"""A broker that lies: what it sends is MQTT up to one packet, and that one is not.

    lying_broker.py path/to/spotter [--seconds 60] [--seed 1]

Every property id in every packet that a broker may send, every length and many values, in MQTT 5 and 3.1.1; then whole
conversations with bytes that are changed, left out and doubled at random. Each lie is told to `spotter mqtt test`, some to
`spotter watch`, `spotter doctor` and to a node. None may end by a signal, and a node must go on.
"""
import argparse
import itertools
import os
import pathlib
import random
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
CONNACK, PUBLISH, PUBACK, PUBREC, PUBREL, PUBCOMP, SUBACK, UNSUBACK, PINGRESP, DISCONNECT, AUTH = (
    0x20, 0x30, 0x40, 0x50, 0x62, 0x70, 0x90, 0xB0, 0xD0, 0xE0, 0xF0)
# The packets that this broker answers with; others it sends unasked after SUBACK.
ASKED = (CONNACK, SUBACK, PUBACK)


def number(value):
    """A variable byte integer."""
    out = bytearray()
    while True:
        value, low = divmod(value, 128)
        out.append(low | (128 if value else 0))
        if not value:
            return bytes(out)


def text(value):
    return struct.pack(">H", len(value)) + value


def packet(first, body):
    return bytes([first]) + number(len(body)) + body


class Talk:
    """One connection: answers as a broker does, but for one packet, which `lie(kind, body)` writes."""

    def __init__(self, connection, kind, lie):
        self.connection, self.kind, self.lie = connection, kind, lie
        self.version = 5

    def send(self, first, body, properties_at=None):
        """`properties_at` is where the properties of MQTT 5 belong in the body."""
        if self.version == 5 and properties_at is not None:
            body = body[:properties_at] + b"\0" + body[properties_at:]
        whole = packet(first, body)
        if first & 0xF0 == self.kind & 0xF0:
            whole = self.lie(first, body, properties_at if self.version == 5 else None)
        self.connection.sendall(whole)

    def need(self, count):
        data = b""
        while len(data) < count:
            piece = self.connection.recv(count - len(data))
            if not piece:
                raise ConnectionError
            data += piece
        return data

    def read(self):
        first, length, shift = self.need(1)[0], 0, 0
        while True:
            byte = self.need(1)[0]
            length |= (byte & 127) << shift
            shift += 7
            if not byte & 128:
                return first, self.need(length)

    def run(self):
        while True:
            first, body = self.read()
            kind = first & 0xF0
            if kind == 0x10:
                self.version = body[6]
                self.send(CONNACK, b"\0\0", 2)
            elif kind == 0x80:
                self.send(SUBACK, body[:2] + b"\1", 2)
                if self.kind not in ASKED:
                    self.unasked()
            elif kind == 0x30:
                size = struct.unpack(">H", body[:2])[0]
                if first & 6:
                    self.send(PUBACK, body[2 + size:4 + size] + (b"\0" if self.version == 5 else b""),
                              3 if self.version == 5 else None)
            elif kind == 0xC0:
                self.send(PINGRESP, b"")
            elif kind == 0xE0:
                return

    def unasked(self):
        kind = self.kind
        if kind == PUBLISH:
            self.send(PUBLISH | 2, text(b"spotter/v1/a/b/cmd/ping") + b"\0\7" + b'{"id":"a"}', 27)
        elif kind in (PUBREC, PUBREL, PUBCOMP):
            self.send(kind, b"\0\7" + (b"\0" if self.version == 5 else b""), 3 if self.version == 5 else None)
        elif kind == UNSUBACK:
            self.send(kind, b"\0\7\0", 2)
        elif kind == DISCONNECT:
            self.send(kind, b"\x8b", 1)
        else:
            self.send(kind, b"")


class LyingBroker:
    """Listens on a free port; tells the lie that is set to each connection."""

    def __init__(self):
        self.door = socket.create_server(("127.0.0.1", 0), backlog=50)
        self.port = self.door.getsockname()[1]
        self.kind, self.lie, self.told = PINGRESP, lambda first, body, at: packet(first, body), 0
        threading.Thread(target=self._let_in, daemon=True).start()

    def set(self, kind, lie):
        self.kind, self.lie = kind, lie

    def _let_in(self):
        while True:
            connection = self.door.accept()[0]
            connection.settimeout(10)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        try:
            self.told += 1
            Talk(connection, self.kind, self.lie).run()
        except (OSError, ConnectionError, IndexError, struct.error):
            pass
        finally:
            connection.close()


def with_properties(properties):
    """A lie: the packet with these bytes as its properties."""
    def lie(first, body, at):
        if at is None:
            return packet(first, body + properties)
        return packet(first, body[:at] + number(len(properties)) + properties + body[at + 1:])
    return lie


def lies(seed):
    """All lies, as (name, packet, lie)."""
    chance = random.Random(seed)
    kinds = {"CONNACK": CONNACK, "PUBLISH": PUBLISH, "PUBACK": PUBACK, "PUBREC": PUBREC, "PUBREL": PUBREL,
             "PUBCOMP": PUBCOMP, "SUBACK": SUBACK, "UNSUBACK": UNSUBACK, "DISCONNECT": DISCONNECT, "AUTH": AUTH,
             "PINGRESP": PINGRESP}
    properties = [bytes([identity]) + value for identity in range(256) for value in
                  (b"", b"\0", b"\0\0", b"\0\1a", b"\0\0\0\0", b"\xff\xff", b"\0\1a\0\1b", b"\x80\x80\x80\x80\1")]
    properties += [number(identity) + b"\0" for identity in (256, 16_384, 2_097_152, 268_435_455)]
    for (name, kind), value in itertools.product(kinds.items(), properties):
        yield f"{name} with the property {value.hex()}", kind, with_properties(value)
    for name, kind in kinds.items():
        for length in (0, 1, 2, 3, 4, 5, 127, 128, 16_383, 16_384, 2_097_151, 2_097_152, 268_435_455):
            yield f"{name} of the length {length}", kind, lambda first, body, at, length=length: (
                bytes([first]) + number(length) + body)
        for code in range(256):
            yield f"{name} with the code {code}", kind, lambda first, body, at, code=code: packet(
                first, (body[:at - 1] + bytes([code]) + body[at:]) if at else body + bytes([code]))
        for flags in range(16):
            yield f"{name} with the flags {flags}", kind, lambda first, body, at, flags=flags: packet(
                first & 0xF0 | flags, body)
        for _ in range(60):
            dice = random.Random(chance.random())
            yield f"{name} with changed bytes", kind, lambda first, body, at, dice=dice: changed(
                packet(first, body), dice)


def changed(data, dice):
    """Bytes with some changed, left out, doubled or added."""
    data = bytearray(data)
    for _ in range(dice.randint(1, 4)):
        place = dice.randrange(len(data) + 1)
        data[place:place + dice.choice((0, 1, 1, 2))] = dice.choice((b"", dice.randbytes(1), dice.randbytes(3), b"\xff"))
    return bytes(data) or b"\0"


class Trial:
    def __init__(self, program, folder):
        self.program, self.folder, self.faults, self.count = program, folder, [], 0
        self.broker = LyingBroker()

    def arguments(self):
        return ["--mqtt-host", "127.0.0.1", "--mqtt-port", str(self.broker.port)]

    def run(self, name, *words, seconds=30):
        """Runs a command of the program, which must end by itself, and not by a signal."""
        self.count += 1
        environment = dict(os.environ, SPOTTER_HISTORY_PATH=str(self.folder / "probe.db"),
                           SPOTTER_MQTT_HOST="127.0.0.1", SPOTTER_MQTT_PORT=str(self.broker.port))
        try:
            done = subprocess.run([self.program, *words], cwd=self.folder, env=environment, capture_output=True,
                                  timeout=seconds, check=False)
            if done.returncode < 0 or done.returncode > 128:
                self.faults.append(f"{words[0]} ended by signal {abs(done.returncode)} on {name}")
        except subprocess.TimeoutExpired:
            self.faults.append(f"{words[0]} did not end within {seconds} s on {name}")

    def node(self, names):
        """One node for each lie, some at a time: it must live, and end when it is asked to."""
        clip = self.folder / "loop.poses.jsonl"
        with clip.open("w") as out:
            subprocess.run([sys.executable, str(ROOT / "Tests/Conformance/loop_clip.py"),
                            str(ROOT / "Tests/Fixtures/clips/demo.json"), "20"], stdout=out, check=True)
        for name, kind, lie in names:
            self.broker.set(kind, lie)
            told = self.broker.told
            process = subprocess.Popen(
                [self.program, "run", "--source", str(clip), "--realtime", "--database", str(self.folder / "node.db"),
                 "--quiet", *self.arguments()], cwd=ROOT, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
            end = time.monotonic() + 20
            while self.broker.told < told + 2 and process.poll() is None and time.monotonic() < end:
                time.sleep(0.05)
            time.sleep(0.3)
            self.count += 1
            if process.poll() is not None:
                self.faults.append(f"the node ended with {process.returncode} on {name}")
                continue
            process.terminate()
            if process.wait(20) != 0:
                self.faults.append(f"the node ended with {process.returncode} after {name}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--seconds", type=float, default=60, help="time for the lies to `mqtt test` (default: 60)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="spotter-lies-") as folder:
        trial = Trial(os.path.realpath(options.program), pathlib.Path(folder))
        told = list(lies(options.seed))
        dice = random.Random(options.seed)
        worst = [lie for lie in told if lie[0].endswith("the property 7f00")]
        dice.shuffle(told)
        # Some lies are silence, for which a client waits: so several are told at the same time.
        probes = [Trial(trial.program, trial.folder) for _ in range(4)]
        end = time.monotonic() + options.seconds
        waiting = iter(worst + told)

        def tell(probe):
            while time.monotonic() < end:
                try:
                    name, kind, lie = next(waiting)
                except StopIteration:
                    return
                probe.broker.set(kind, lie)
                probe.run(name, "mqtt", "test", *probe.arguments())

        threads = [threading.Thread(target=tell, args=(probe,)) for probe in probes]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for name, kind, lie in worst[:3] + told[:5]:
            trial.broker.set(kind, lie)
            trial.run(name, "watch", "--for", "1", *trial.arguments())
        trial.node(worst + told[:6])
        faults = [fault for one in [trial, *probes] for fault in one.faults]
        for fault in faults[:20]:
            print(fault)
        count = sum(one.count for one in [trial, *probes])
        print(f"lies of a broker: {count} of {len(told)} told, {len(faults)} faults (--seed {options.seed})")
        sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
