"""Runs the commands of the page NetworkCameras.md against a real RTSP server on the loopback address.

    rtsp_test.py path/to/spotter

Needs Debian's ffmpeg, gir1.2-gst-rtsp-server-1.0, python3-gi and gstreamer1.0-plugins-base, -good and -bad.
"""
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "Sources/Node/spotter/Spotter.docc/NetworkCameras.md"
sys.path.append(str(ROOT / "Tests/TestSupport"))
from ports import free_port  # noqa: E402

PASSWORD, WRITTEN = "pa:ss/1", "pa%3Ass%2F1"
FILM = ROOT / "Tests/Fixtures/clips/demo.mp4"
failures = 0


def check(words, is_true, seen=""):
    global failures
    failures += not is_true
    print(("ok   " if is_true else "FAIL ") + words + ("" if is_true else f": {seen}"), flush=True)


def tested_blocks(language):
    """The blocks of the page that name this test."""
    mark = re.escape("<!-- tested by: Tests/Recipes/rtsp_test.py -->")
    return re.findall(rf"^{mark}\n```{language}\n(.*?)^```", PAGE.read_text(), re.M | re.S)


def film(path, width, rate):
    subprocess.run(["ffmpeg", "-v", "error", "-stream_loop", "9", "-i", FILM, "-t", "90", "-an", "-vf", f"scale={width}:-2", "-r", str(rate),
                    "-c:v", "libx264", "-preset", "ultrafast", "-g", str(rate), "-bf", "0", path], check=True)


def main():
    spotter = pathlib.Path(sys.argv[1]).absolute()
    with tempfile.TemporaryDirectory() as name:
        folder, port = pathlib.Path(name), free_port()
        film(folder / "main.mp4", 1280, 25)
        film(folder / "sub.mp4", 640, 15)
        server = subprocess.Popen(["/usr/bin/python3", pathlib.Path(__file__).with_name("rtsp_camera.py"), str(port),
                                   folder / "main.mp4", folder / "sub.mp4"])
        try:
            follow(spotter, folder, port)
        finally:
            server.terminate()
            server.wait()
    print(f"{failures} failed")
    return 1 if failures else 0


def follow(spotter, folder, port):
    def write(path, password=WRITTEN, number=port):
        """The block of the page with another host and path."""
        block = re.search(r"^```toml\n(.*?)^```", PAGE.read_text(), re.M | re.S)[1]
        text = block.replace(f"{WRITTEN}@192.168.1.64:554/Streaming/Channels/102", f"{password}@127.0.0.1:{number}/{path}")
        assert "127.0.0.1" in text
        (folder / "config.toml").write_text(f'history.path = "{folder}/spotter.db"\nmqtt.enabled = false\n{text}')

    def run(line):
        result = subprocess.run(["bash", "-c", line.replace("spotter", str(spotter), 1)], cwd=folder, capture_output=True,
                                text=True)
        said = result.stdout + result.stderr
        check(f"{line}: no password is shown", PASSWORD not in said and WRITTEN not in said, said)
        return result.returncode, said

    write("sub")
    end = time.monotonic() + 30
    while subprocess.run(["bash", "-c", f"</dev/tcp/127.0.0.1/{port}"], capture_output=True).returncode:
        assert time.monotonic() < end, "the server does not listen"
        time.sleep(0.2)
    for line in tested_blocks("sh")[0].splitlines():
        status, said = run(line)
        # The clock of a machine for tests may be unsynchronised, of which the doctor tells by its status.
        check(f"{line}: ends well", status == 0 or "doctor" in line, said)
    status, said = run("spotter cameras test rack-1")
    shown = tested_blocks("text")[0].splitlines()
    check("the output has the lines of the page", [line.split()[0] for line in said.splitlines()] ==
          [line.split()[0] for line in shown] and shown[1] in said, said)
    write("main")
    status, said = run("spotter cameras test rack-1")
    check("the main stream is larger", status == 0 and "1280×960 at 25 Hz" in said, said)
    for words, settings in (("401 Unauthorized (authorization failed)", dict(path="sub", password="wrong")),
                            ("404 Not Found", dict(path="other")),
                            ("Connection refused; nothing listens at this port", dict(path="sub", number=free_port()))):
        write(**settings)
        status, said = run("spotter cameras test rack-1")
        check(f"{words}: said, and on the page", status == 69 and words in said and f"`{words}`" in PAGE.read_text(), said)
    write("sub")
    node = subprocess.Popen([spotter, "run", "--quiet"], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    arguments = [pathlib.Path(f"/proc/{node.pid}/cmdline")]
    try:
        time.sleep(20)
        arguments += [path / "cmdline" for path in pathlib.Path("/proc").glob("[0-9]*") if b"ffmpeg" in read(path / "cmdline")]
        check("no process has the password among its arguments", not any(WRITTEN.encode() in read(path) for path in arguments))
    finally:
        node.terminate()
        node.wait()
    with sqlite3.connect(folder / "spotter.db") as database:
        count = database.execute("SELECT count(*) FROM session").fetchone()[0]
    check("a node watches the stream and stores what it sees", count > 0, count)


def read(path):
    try:
        return path.read_bytes()
    except OSError:
        return b""


if __name__ == "__main__":
    sys.exit(main())
