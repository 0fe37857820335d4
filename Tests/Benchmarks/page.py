#!/usr/bin/env python3
"""Measures what viewers of the node's page cost: page.py SPOTTER [ROUNDS].

One node plays two clips as looped streams. Rounds with five viewers and rounds without alternate, so that a busy machine
disturbs both alike. Printed: the medians of the node's processor time and of the processed frames, the memory of a node
with and without the page, the size of the pages, and what a viewer that does not read loses.
"""
import http.client
import json
import os
import pathlib
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "TestSupport"))

from ports import free_port

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
CLIPS = ["demo", "two_people"]
VIEWERS = 5
SECONDS = 10.0


class Node:
    """A running node with its streams."""

    def __init__(self, spotter, folder, page):
        self.players, cameras = [], ""
        for clip in CLIPS:
            port = free_port(socket.SOCK_DGRAM)
            self.players.append(subprocess.Popen(
                ["ffmpeg", "-nostdin", "-v", "quiet", "-re", "-stream_loop", "-1",
                 "-i", f"{ROOT}/Tests/Fixtures/clips/{clip}.mp4", "-an", "-c:v", "mpeg2video", "-q:v", "3", "-g", "10",
                 "-f", "mpegts", f"udp://127.0.0.1:{port}?pkt_size=1316"]))
            cameras += f'[[camera]]\nid = "{clip}"\nsource = "udp://127.0.0.1:{port}"\n'
        self.port, self.metrics = free_port(), free_port()
        os.makedirs(folder, exist_ok=True)
        with open(f"{folder}/config.toml", "w", encoding="utf-8") as file:
            file.write(cameras + '[recognition]\nsubjects = "everyone"\nmaximum_load = 0.4\n'
                       f'[history]\npath = "{folder}/spotter.db"\n[mqtt]\nenabled = false\n'
                       f'[metrics]\nenabled = true\nport = {self.metrics}\n'
                       f'[web]\nenabled = {str(page).lower()}\nlisten = "127.0.0.1:{self.port}"\n')
        self.process = subprocess.Popen(
            [spotter, "run", "--quiet", "--config", f"{folder}/config.toml"], cwd=ROOT, stderr=subprocess.DEVNULL)

    def processor_seconds(self):
        with open(f"/proc/{self.process.pid}/stat", encoding="ascii") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def resident_megabytes(self):
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
            return int(re.search(r"VmRSS:\s+(\d+)", file.read()).group(1)) / 1024

    def frames(self):
        text = get(self.metrics, "/metrics")[1].decode()
        return sum(float(value) for value in re.findall(r'spotter_frames_total\{.*result="processed".*\} (\S+)', text))

    def wait(self):
        deadline = time.time() + 90
        while time.time() < deadline:
            try:
                if self.frames() > 60:
                    return
            except OSError:
                pass
            time.sleep(0.5)
        sys.exit("page.py: the node processed no frames within 90 s")

    def stop(self):
        for process in [self.process, *self.players]:
            process.terminate()
        for process in [self.process, *self.players]:
            process.wait(20)


def get(port, path):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", path)
    response = connection.getresponse()
    return response.status, response.read()


class Viewer(threading.Thread):
    """Follows the events of all cameras, and counts them."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.sendall(b"GET /api/v1/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        self.bytes = self.poses = 0

    def run(self):
        try:
            while part := self.socket.recv(65536):
                self.bytes += len(part)
                self.poses += part.count(b"event: pose")
        except OSError:
            pass

    def leave(self):
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()


def measure(node, viewers):
    """Processor seconds and frames of the node in a stretch of time, both per second."""
    watching = [Viewer(node.port) for _ in range(viewers)]
    for viewer in watching:
        viewer.start()
    time.sleep(1)
    start, used, frames = time.monotonic(), node.processor_seconds(), node.frames()
    poses = sum(viewer.poses for viewer in watching)
    time.sleep(SECONDS)
    elapsed = time.monotonic() - start
    result = ((node.processor_seconds() - used) / elapsed, (node.frames() - frames) / elapsed)
    seen = (sum(viewer.poses for viewer in watching) - poses) / elapsed
    for viewer in watching:
        viewer.leave()
    return result, seen


def compare(node, rounds):
    without, with_viewers, seen = [], [], []
    for _ in range(rounds):
        without.append(measure(node, 0)[0])
        result, poses = measure(node, VIEWERS)
        with_viewers.append(result)
        seen.append(poses / VIEWERS)
    middle = lambda rows, column: statistics.median(row[column] for row in rows)
    # Fewer frames cost less, so the cost of a frame is compared.
    per_frame = [statistics.median(used / frames for used, frames in rows) for rows in (without, with_viewers)]
    cost = (per_frame[1] - per_frame[0]) * middle(without, 1)
    print(f"processor, no viewer      {100 * middle(without, 0):6.1f} % of a core, {middle(without, 1):5.1f} frames/s")
    print(f"processor, {VIEWERS} viewers      {100 * middle(with_viewers, 0):6.1f} % of a core, "
          f"{middle(with_viewers, 1):5.1f} frames/s, {statistics.median(seen):.1f} poses/s each")
    print(f"{VIEWERS} viewers cost            {100 * cost:6.1f} % of a core (limit 3)")
    print(f"frames change by          {100 * (middle(with_viewers, 1) / middle(without, 1) - 1):6.1f} % (limit 2)")


def lazy_reader(node):
    """A viewer that stops reading for a while."""
    before = node.resident_megabytes()
    lazy = socket.create_connection(("127.0.0.1", node.port))
    lazy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    lazy.sendall(b"GET /api/v1/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    time.sleep(8)
    text, lazy_deadline = b"", time.time() + 8
    lazy.settimeout(2)
    while time.time() < lazy_deadline and b"event: lost" not in text:
        try:
            text += lazy.recv(65536)
        except TimeoutError:
            break
    lost = re.search(rb'event: lost\ndata: \{"frames":(\d+)\}', text)
    print(f"a reader that pauses 8 s  {'lost ' + lost.group(1).decode() + ' frames' if lost else 'lost nothing'}, "
          f"memory {node.resident_megabytes() - before:+.1f} MB")
    lazy.close()


def sizes(node):
    """Every page with what it loads, without the charts."""
    for page in ["/", "/tv", "/history", "/node", "/aim"]:
        start = time.monotonic()
        names, seen, total = [page], set(), 0
        while names:
            name = names.pop()
            if name in seen or name.endswith("chart.js"):
                continue
            seen.add(name)
            text = get(node.port, name)[1]
            total += len(text)
            names += ["/assets/" + asset for asset in re.findall(r'["\'](?:\./|/assets/)([\w.-]+\.\w+)["\']', text.decode())]
        print(f"page {page:<20} {total / 1000:6.1f} kB in {len(seen)} files, {1000 * (time.monotonic() - start):.0f} ms "
              "(limits 120 kB, 1 s)")


def memory(spotter, folder):
    """The resident memory of a node with the page and no viewer, and of one without the page."""
    values = {True: [], False: []}
    for number in range(3):
        for page in (False, True):
            node = Node(spotter, f"{folder}/memory-{number}-{page}", page)
            try:
                node.wait()
                time.sleep(8)
                values[page].append(node.resident_megabytes())
            finally:
                node.stop()
    without, with_page = (statistics.median(values[page]) for page in (False, True))
    print(f"memory                    {without:6.1f} MB, with the page {with_page:.1f} MB: "
          f"{with_page - without:+.1f} MB (limit 4)")


def main():
    spotter = os.path.abspath(sys.argv[1])
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    with tempfile.TemporaryDirectory() as folder:
        node = Node(spotter, f"{folder}/node", True)
        try:
            node.wait()
            sizes(node)
            lazy_reader(node)
            compare(node, rounds)
            # The node notices within two seconds that somebody has gone.
            time.sleep(3)
            state = json.loads(get(node.port, "/api/v1/state")[1])
            print(f"viewers left behind       {state['viewers']:6d}")
        finally:
            node.stop()
        memory(spotter, folder)


if __name__ == "__main__":
    main()
