#!/usr/bin/env python3
"""Limits what waits at the hub for receivers that are away: limit.py --password-file FILE 15GB

Without a limit the messages fill the servers' whole store (HUB_DISK). Then no session can be stored either, and the
sink cannot come back to fetch them. With it there is always room for sessions; new messages are refused, so that gyms
and nodes keep them. Give three quarters of HUB_DISK. Run it once, on one of the servers, after the first node, gym or
sink has connected; it holds over restarts. The user is `operator`: users.sh add operator operator
"""
import argparse
import json
import pathlib
import socket
import sys

STREAM = "$MQTT_msgs"
UNITS = {"KB": 10, "MB": 20, "GB": 30, "TB": 40}


def size(text):
    number, unit = text[:-2], text[-2:].upper()
    if unit not in UNITS or not number.isdigit() or int(number) == 0:
        raise argparse.ArgumentTypeError(f"{text} is no size such as 15GB")
    return int(number) << UNITS[unit]


class Server:
    """A connection in NATS' own protocol, with just enough of it to ask the store's API."""

    def __init__(self, port, user, password):
        self.socket = socket.create_connection(("127.0.0.1", port), 10)
        self.lines = self.socket.makefile("rb")
        self.lines.readline()
        login = json.dumps({"user": user, "pass": password, "verbose": False, "pedantic": False})
        self.socket.sendall(f"CONNECT {login}\r\nSUB _INBOX.limit 1\r\n".encode())

    def ask(self, subject, body=None):
        text = json.dumps(body).encode() if body else b""
        self.socket.sendall(f"PUB {subject} _INBOX.limit {len(text)}\r\n".encode() + text + b"\r\n")
        while True:
            line = self.lines.readline()
            if line.startswith(b"MSG"):
                answer = json.loads(self.lines.read(int(line.split()[-1])))
                if "error" in answer:
                    sys.exit(f"limit.py: {answer['error']['description']}")
                return answer
            if line.startswith(b"PING"):
                self.socket.sendall(b"PONG\r\n")
            elif not line or line.startswith(b"-ERR"):
                sys.exit(f"limit.py: the server says: {line.decode().strip() or 'nothing'}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("limit", type=size)
    parser.add_argument("--password-file", required=True)
    parser.add_argument("--user", default="operator")
    parser.add_argument("--port", type=int, default=4222)
    options = parser.parse_args()
    password = pathlib.Path(options.password_file).read_text().strip()
    try:
        server = Server(options.port, options.user, password)
        wanted = server.ask(f"$JS.API.STREAM.INFO.{STREAM}")["config"]
        wanted.update(max_bytes=options.limit, discard="new")
        config = server.ask(f"$JS.API.STREAM.UPDATE.{STREAM}", wanted)["config"]
    except OSError as error:
        sys.exit(f"limit.py: no answer at port {options.port}: {error}")
    print(f"at most {config['max_bytes']} bytes wait at each server; what is new then is refused")


if __name__ == "__main__":
    main()
