"""A node that tries more than it may, at a gym's mosquitto with the shipped access list.

    /usr/bin/python3 Tests/Fleet/gym_test.py
"""
import tempfile
import unittest

from brokers import Client, Gym, plain_client
from rights import Rights


class MosquittoRights(Rights, unittest.TestCase):
    """At a gym's mosquitto with the shipped access list."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.gym = Gym(cls.folder.name, ["sp-1", "sp-2", "sp-3", "hq"])
        cls.addClassCleanup(cls.folder.cleanup)
        cls.addClassCleanup(cls.gym.stop)
        cls.gym.start()

    def port(self):
        return self.gym.port

    def connect(self, user, client_id="", clean=True, will=None):
        client = Client(plain_client(user, client_id, clean), self.gym.port, will)
        self.addCleanup(client.close)
        return client

    def check_granted(self, granted):
        """mosquitto grants every subscription with 3.1.1, and delivers nothing that may not be read."""

    def check_returned(self, sink):
        """mosquitto throws away what waited. Nothing is lost: the nodes wait for the sink's own acknowledgement."""


if __name__ == "__main__":
    unittest.main()
