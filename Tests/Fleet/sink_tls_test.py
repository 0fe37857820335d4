#!/usr/bin/python3
"""Checks that spotter-sink reaches a hub by TLS with its certificate, and says what is wrong where it does not.

    Tests/Fleet/sink_tls_test.py [-v]
"""
import os
import pathlib
import socket
import ssl
import subprocess
import threading
import unittest

from scripted_node import ROOT, Place, wait_until


class SinkTLSTests(unittest.TestCase):
    def setUp(self):
        self.place = Place()
        self.place.__enter__()
        self.addCleanup(self.place.__exit__, None, None, None)
        self.folder = self.place.folder / "certificates"
        self.certificate("server", "hub", "localhost", "127.0.0.1")
        self.certificate("client", "hq")
        self.port = self.place.broker.listen_with_tls(self.folder)

    def certificate(self, *words, folder=None):
        """Runs the script that the fleet's page names."""
        subprocess.run(["sh", str(ROOT / "deploy/fleet/certificates.sh"), *words], check=True, capture_output=True,
                       env=dict(os.environ, CERTIFICATES=str(folder or self.folder)))

    def sink(self, ready=True, folder=None, **more):
        own = pathlib.Path(folder or self.folder)
        return self.place.sink(ready=ready, **{
            "mqtt_port": self.port, "mqtt_tls": "true", "mqtt_ca_file": self.folder / "ca.crt",
            "mqtt_certificate": own / "hq.crt", "mqtt_key": own / "hq.key", **more})

    def complains(self, sink, *words):
        wait_until(lambda: all(word in sink.text() for word in words), 20,
                   lambda: f"no line with {words}: {sink.text()}")
        self.assertIsNone(sink.process.poll(), "the sink ended instead of trying again")
        self.assertEqual(sink.metric("broker_up"), 0)

    def test_records_come_by_tls_with_a_certificate(self):
        self.sink()
        node = self.place.node()
        for seq in range(1, 21):
            node.session(seq)
        node.wait_acked(20)

    def test_a_broker_of_another_name_is_refused(self):
        self.complains(self.sink(ready=False, mqtt_server_name="hub.example.org"), "certificate", "hub.example.org")

    def test_a_certificate_of_another_authority_is_refused_and_a_right_one_is_taken_at_once(self):
        foreign = self.place.folder / "foreign"
        self.certificate("client", "hq", folder=foreign)
        sink = self.sink(ready=False, folder=foreign)
        self.complains(sink, "certificate")
        for name in ("hq.key", "hq.crt"):
            (foreign / name).write_bytes((self.folder / name).read_bytes())
        wait_until(lambda: sink.metric("broker_up") == 1, 40,
                   lambda: f"the new certificate was not read: {sink.text()}")

    def hub_that_ends_every_connection(self, reads):
        """The port of a server that takes every certificate, says nothing and closes, with `reads` after CONNECT came."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.folder / "hub.crt", self.folder / "hub.key")
        server = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(server.close)

        def end_all():
            while True:
                try:
                    client = server.accept()[0]
                except OSError:
                    return
                try:
                    with context.wrap_socket(client, server_side=True) as connection:
                        if reads:
                            connection.recv(1000)
                except OSError:
                    pass
        threading.Thread(target=end_all, daemon=True).start()
        return server.getsockname()[1]

    def test_a_hub_that_ends_the_connection_without_a_word_may_not_accept_the_certificate(self):
        for reads in (False, True):
            with self.subTest(reads=reads):
                sink = self.sink(ready=False, mqtt_port=self.hub_that_ends_every_connection(reads))
                self.complains(sink, "may not accept", "certificate")
                sink.stop()

    def test_a_hub_without_tls_is_named(self):
        self.complains(self.sink(ready=False, mqtt_port=self.place.broker.port), "TLS")


if __name__ == "__main__":
    unittest.main()
