"""A TCP proxy that keeps every byte between the browser and a node."""
import re
import select
import socket
import threading


class Recorder:
    def __init__(self, port):
        self.upstream = port
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.origin = f"http://127.0.0.1:{self.port}"
        self.lock = threading.Lock()
        # For each connection what the browser and what the node said.
        self.asked, self.answered = [], []
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                browser, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.carry, args=(browser,), daemon=True).start()

    def carry(self, browser):
        asked, answered = bytearray(), bytearray()
        with self.lock:
            self.asked.append(asked)
            self.answered.append(answered)
        with browser:
            try:
                with socket.create_connection(("127.0.0.1", self.upstream), 10) as node:
                    kept = {browser: (node, asked), node: (browser, answered)}
                    while True:
                        for reader in select.select(list(kept), [], [])[0]:
                            data = reader.recv(65536)
                            if not data:
                                return
                            other, record = kept[reader]
                            record += data
                            other.sendall(data)
            except OSError:
                # One side has gone, and so has the connection.
                return

    def close(self):
        self.listener.close()

    def answers(self):
        """What the node sent, as it travelled, and again without the lengths that cut long answers into chunks."""
        with self.lock:
            raw = b"".join(bytes(part) + b"\n" for part in self.answered)
        return raw + re.sub(rb"\r\n[0-9a-fA-F]{1,8}\r\n", b"", raw)


# How pictures and films begin, and the same as base64 writes it.
PICTURES = {
    "JPEG": rb"\xff\xd8\xff[\xe0-\xef\xdb\xc0-\xc4\xfe]", "PNG": rb"\x89PNG\r\n\x1a\n", "WebP": rb"RIFF.{4}WEBP",
    "GIF": rb"GIF8[79]a", "AVIF, HEIC or MP4": rb"ftyp(?:avif|avis|heic|mif1|isom|iso\d|mp4\d)",
    "JPEG as base64": rb"/9j/[2-4][A-Za-z0-9+/]{12}", "PNG as base64": rb"iVBORw0KGgo",
    "WebP as base64": rb"UklGR[A-Za-z0-9+/]{12}", "data address of a picture": rb"data:(?:image|video)/(?!svg)",
}


def pictures_in(data):
    """The kinds of pictures whose beginning stands in some bytes."""
    return [kind for kind, pattern in PICTURES.items() if re.search(pattern, data, re.DOTALL)]
