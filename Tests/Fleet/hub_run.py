#!/usr/bin/env python3
"""Runs the hub until it is told to end, for shell scripts: hub_run.py FOLDER [--tls] [node:SITE:ID | gym:SITE]…

FOLDER/ports holds the three MQTT ports, one a line, as soon as the hub works. SIGUSR1 starts it anew without its
memory; the file goes and comes back meanwhile.
"""
import pathlib
import shutil
import signal
import sys

from hub import Hub


def main():
    folder, *words = sys.argv[1:]
    members = [tuple(word.split(":")) for word in words if word != "--tls"]
    ports = pathlib.Path(folder) / "ports"
    # Signals wait until they are asked for below.
    signals = {signal.SIGUSR1, signal.SIGTERM, signal.SIGINT}
    signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    with Hub(folder, tls="--tls" in words, members=members) as hub:
        while True:
            hub.start()
            ports.with_suffix(".part").write_text("".join(f"{port}\n" for port in hub.mqtt_ports))
            ports.with_suffix(".part").rename(ports)
            if signal.sigwait(signals) != signal.SIGUSR1:
                return
            ports.unlink(missing_ok=True)
            hub.stop()
            for i in range(3):
                shutil.rmtree(hub.home(i) / "data")
            (hub.folder / "operator.password").unlink()


if __name__ == "__main__":
    main()
