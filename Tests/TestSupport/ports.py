"""Ports of the loopback address for servers that tests start."""
import random
import socket

# Below the range from which the kernel takes ports for outgoing connections and for "any free port" (32768 and above): no
# client that keeps trying to connect takes such a port before its server listens.
PORTS = range(10_000, 32_000)
handed_out = set()


def free_port(kind=socket.SOCK_STREAM):
    """A port on which nobody listens; no other call of this process returns it."""
    for port in random.sample(PORTS, len(PORTS)):
        if port in handed_out:
            continue
        with socket.socket(type=kind) as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        handed_out.add(port)
        return port
    raise OSError("no port is free")
