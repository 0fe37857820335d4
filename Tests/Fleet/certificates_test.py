"""Certificates at the hub and at a gym's mosquitto: who gets in with which, and who does not any more.

    /usr/bin/python3 Tests/Fleet/certificates_test.py
"""
import os
import pathlib
import shutil
import socket
import ssl
import subprocess
import tempfile
import unittest

import paho.mqtt.client as mqtt

from brokers import Client, Gym, wait_until
from hub import PASSWORD, Hub

NODE = "spotter/v1/berlin/sp-1"
MEMBERS = [("node", "berlin", "sp-1"), ("node", "berlin", "sp-2"), ("node", "paris", "sp-9"), ("sink", "hq")]


def make_expired(folder, name):
    """A certificate of the fleet's own authority that ended in 2021."""
    def openssl(*words):
        subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True)

    settings = (folder / "openssl.cnf").read_text()
    (folder / "expired.cnf").write_text(settings.replace("subjectAltName = DNS:", f"subjectAltName = DNS:{name},DNS:"))
    openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", "expired.key")
    openssl("req", "-new", "-config", "expired.cnf", "-key", "expired.key", "-subj", f"/CN={name}",
            "-out", "expired.csr")
    openssl("ca", "-batch", "-notext", "-config", "expired.cnf", "-extensions", "client", "-in", "expired.csr",
            "-startdate", "20200101000000Z", "-enddate", "20210101000000Z", "-out", "expired.crt")
    return folder / "expired.crt", folder / "expired.key"


class Certificates:
    """The checks that hold at both. A subclass has `port`, `ca`, `authority` (a folder) and `take_back(name)`."""

    def attempt(self, certificate=None, user=None):
        """The client, or None if it does not get in."""
        client = mqtt.Client(protocol=mqtt.MQTTv311)
        if user:
            client.username_pw_set(user, PASSWORD)
        context = ssl.create_default_context(cafile=str(self.ca))
        if certificate:
            context.load_cert_chain(*certificate)
        client.tls_set_context(context)
        try:
            attempt = Client(client, self.port)
        except OSError:
            return None
        self.addCleanup(attempt.close)
        return attempt if attempt.connected.is_set() and not wait_until(attempt.lost.is_set, 0.3) else None

    def pair(self, name):
        return self.authority / f"{name}.crt", self.authority / f"{name}.key"

    def certify(self, *words, authority=None):
        environment = dict(os.environ, CERTIFICATES=str(authority or self.authority))
        script = pathlib.Path(__file__).resolve().parents[2] / "deploy/fleet/certificates.sh"
        subprocess.run([str(script), *words], env=environment, check=True, stdout=subprocess.DEVNULL)

    def test_the_certificate_is_the_user(self):
        node, tester = self.attempt(self.pair("sp-1")), self.attempt(self.pair("tester"))
        self.assertIsNotNone(node)
        tester.subscribe("spotter/#")
        node.publish("spotter/v1/berlin/sp-2/info", "stolen")
        node.publish(f"{NODE}/info", "own")
        self.assertTrue(wait_until(lambda: "own" in tester.payloads()))
        self.assertNotIn("stolen", tester.payloads())

    def test_another_user_name_beside_the_certificate_changes_nothing(self):
        node, tester = self.attempt(self.pair("sp-1"), user="sp-2"), self.attempt(self.pair("tester"))
        tester.subscribe("spotter/#")
        if node:
            node.publish("spotter/v1/berlin/sp-2/info", "stolen")
        self.attempt(self.pair("sp-1")).publish(f"{NODE}/info", "after")
        self.assertTrue(wait_until(lambda: "after" in tester.payloads()))
        self.assertNotIn("stolen", tester.payloads())

    def test_without_a_certificate_nobody_gets_in(self):
        self.assertIsNone(self.attempt())
        self.assertIsNone(self.attempt(user="sp-1"))

    def test_a_certificate_of_another_authority_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            self.certify("client", "sp-1", authority=folder)
            self.assertIsNone(self.attempt((f"{folder}/sp-1.crt", f"{folder}/sp-1.key")))

    def test_a_certificate_that_ended_is_refused(self):
        self.assertIsNone(self.attempt(make_expired(self.authority, "sp-1")))
        self.assertIsNotNone(self.attempt(self.pair("sp-1")), "the refusal had another reason")

    def test_a_renewed_certificate_gets_in_and_so_does_the_old_one(self):
        old = [shutil.copy(file, f"{file}.old") for file in self.pair("sp-2")]
        self.certify("client", "sp-2")
        self.assertIsNotNone(self.attempt(self.pair("sp-2")))
        self.assertIsNotNone(self.attempt(old))


class HubCertificates(Certificates, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.hub = Hub(folder.name, tls=True, members=MEMBERS)
        cls.addClassCleanup(cls.hub.stop)
        cls.hub.start()
        cls.ca, cls.authority, cls.port = cls.hub.ca_file, cls.hub.folder / "certificates", cls.hub.mqtt_ports[0]

    def test_a_certificate_without_a_user_is_refused(self):
        self.certify("client", "sp-7")
        self.assertIsNone(self.attempt(self.pair("sp-7")))
        self.assertIsNone(self.attempt(self.pair("hub-2")), "a server's certificate is no member's")

    def test_a_stolen_certificate_gets_in_no_more_and_the_node_does_with_another_user(self):
        """As HUB.md says: the node becomes the user sp-9.2, and gets a certificate for that."""
        stolen = [shutil.copy(file, f"{file}.stolen") for file in self.pair("sp-9")]
        thief = self.attempt(stolen)
        self.assertIsNotNone(thief)
        self.certify("client", "sp-9", "sp-9.2")
        self.hub.logins["sp-9"] = "sp-9.2"
        self.hub.reload()
        self.assertTrue(wait_until(thief.lost.is_set))
        self.assertIsNone(self.attempt(stolen))
        node, tester = self.attempt(self.pair("sp-9")), self.attempt(self.pair("tester"))
        tester.subscribe("spotter/#")
        node.publish("spotter/v1/paris/sp-9/info", "back")
        self.assertTrue(wait_until(lambda: "back" in tester.payloads()))

    def test_a_nodes_certificate_does_not_make_it_a_server(self):
        """A route is a door into everything: only the three servers may open one."""
        def answers(pair):
            context = ssl.create_default_context(cafile=str(self.ca))
            context.load_cert_chain(*pair)
            with socket.create_connection(("localhost", self.hub.cluster_ports[0]), 5) as plain:
                with context.wrap_socket(plain, server_hostname="localhost") as route:
                    route.sendall(b'CONNECT {"name":"hub-9","cluster":"spotter"}\r\nPING\r\n')
                    text = b""
                    try:
                        while b"PONG" not in text and b"ERR" not in text and len(text) < 1 << 20:
                            text += route.recv(65536) or b"-ERR closed"
                    except OSError as error:
                        text += f"-ERR {error}".encode()
                    return text

        refused, accepted = answers(self.pair("sp-1")), answers(self.pair("hub-2"))
        self.assertIn(b"Authorization Violation", refused)
        self.assertNotIn(b"Authorization Violation", accepted)
        self.assertIn(b"PONG", accepted)


class MosquittoCertificates(Certificates, unittest.TestCase):
    """A gym's broker where nodes have certificates, as HUB.md describes it."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.authority = pathlib.Path(folder.name) / "certificates"
        cls.ca = cls.authority / "ca.crt"
        cls.certify(cls, "server", "gym-berlin", "localhost")
        for name in ("sp-1", "sp-2", "sp-3", "tester"):
            cls.certify(cls, "client", name)
        lines = (f"cafile {cls.ca}\ncertfile {cls.authority}/gym-berlin.crt\nkeyfile {cls.authority}/gym-berlin.key\n"
                 f"crlfile {cls.authority}/crl.pem\nrequire_certificate true\nuse_identity_as_username true\n")
        cls.gym = Gym(pathlib.Path(folder.name) / "gym", ["sp-1"], more=lines)
        cls.addClassCleanup(cls.gym.stop)
        cls.gym.start()
        cls.port = cls.gym.port

    def test_a_revoked_certificate_is_refused_after_a_restart(self):
        """mosquitto reads the list of revoked certificates when it starts, not when it is reloaded."""
        self.assertIsNotNone(self.attempt(self.pair("sp-3")))
        self.certify("revoke", "sp-3")
        self.gym.stop()
        self.gym.start()
        self.assertIsNone(self.attempt(self.pair("sp-3")))
        self.assertIsNotNone(self.attempt(self.pair("sp-1")))


if __name__ == "__main__":
    unittest.main()
