"""A TCP proxy whose connections can be cut or slowed down."""
import socket
import threading
import time


class Proxy:
    """Listens on a free port and forwards everything to the first of its targets that answers; `mode` is pass, slow or
    cut."""

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
                target.sendall(piece)
        except OSError:
            pass
        with self.lock:
            self.pairs.discard(pair)
        self._close(pair)

    @staticmethod
    def _close(pair):
        for end in pair:
            # Only this wakes a recv that waits in the other thread.
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            end.close()
