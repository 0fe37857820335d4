"""A TCP proxy whose connections can be cut or slowed down, and that can lie."""
import random
import socket
import threading
import time


class Proxy:
    """Listens on a free port and forwards everything to the first of its targets that answers; `mode` is pass, slow,
    cut, or lie: then bytes from the target are changed, left out or doubled now and then, and packets of MQTT 5 added
    that have a property that does not exist."""

    def __init__(self, *targets):
        self.targets, self.how, self.pairs = targets, "pass", set()
        self.lock = threading.Lock()
        self.door = socket.create_server(("127.0.0.1", 0))
        self.port = self.door.getsockname()[1]
        threading.Thread(target=self._let_in, daemon=True).start()

    def mode(self, how):
        """Sets the mode. Cutting also ends existing connections."""
        self.how = how
        if how == "cut":
            with self.lock:
                pairs, self.pairs = self.pairs, set()
            for pair in pairs:
                self._close(pair)

    def _let_in(self):
        while True:
            guest = self.door.accept()[0]
            if self.how == "cut":
                guest.close()
                continue
            host = self._reach()
            if not host:
                guest.close()
                continue
            host.settimeout(None)
            pair = (guest, host)
            with self.lock:
                self.pairs.add(pair)
            for source, target in (pair, pair[::-1]):
                threading.Thread(target=self._pass_on, args=(source, target, pair), daemon=True).start()

    def _reach(self):
        for target in self.targets:
            try:
                return socket.create_connection(("127.0.0.1", target), 5)
            except OSError:
                pass
        return None

    def _pass_on(self, source, target, pair):
        try:
            while piece := source.recv(512 if self.how == "slow" else 65536):
                if self.how == "slow":
                    time.sleep(0.25)
                if self.how == "lie" and source is pair[1]:
                    piece = self._untrue(piece)
                target.sendall(piece)
        except OSError:
            pass
        with self.lock:
            self.pairs.discard(pair)
        self._close(pair)

    @staticmethod
    def _untrue(piece):
        dice = random.random()
        place = random.randrange(len(piece) + 1)
        if dice < 0.2:
            return piece + random.choice((b"\x40\x06\0\1\0\2\x7f\0", b"\x90\x06\0\1\2\x7f\0\1", b"\xe0\x04\x82\2\x7f\0",
                                          b"\x30\x06\0\1a\2\x7f\0", b"\x20\x05\0\0\2\x7f\0"))
        if dice < 0.5:
            return piece[:place] + random.choice((b"", random.randbytes(1), random.randbytes(300))) + piece[place + 1:]
        return piece

    @staticmethod
    def _close(pair):
        for end in pair:
            # Only this wakes a recv that waits in the other thread.
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            end.close()
