"""A client that receives all messages of one node and sends commands: MQTT 5, or 3.1.1 with an old broker."""
import json
import threading
import time
from dataclasses import dataclass, field

import paho.mqtt.client as mqtt
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.subscribeoptions import SubscribeOptions


@dataclass
class ReceivedMessage:
    topic: str
    payload: bytes
    qos: int
    retained: bool
    at: float
    expiry: int | None = None
    content_type: str | None = None
    user: dict = field(default_factory=dict)
    correlation: bytes | None = None

    def json(self):
        return json.loads(self.payload.decode("utf-8"))


class MQTTClient:
    def __init__(self, options, topics, version=5, client_id=""):
        self.version = version
        self.topics = topics
        self.messages = []
        self.subscribed = False
        self.lock = threading.Condition()
        protocol = mqtt.MQTTv5 if version == 5 else mqtt.MQTTv311
        try:
            # paho 2 needs the version of the callbacks; paho 1 has only this one.
            self.client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION1, client_id=client_id, protocol=protocol)
        except AttributeError:
            self.client = mqtt.Client(client_id=client_id, protocol=protocol)
        self.client.on_connect = self._connected
        self.client.on_subscribe = self._subscribed
        self.client.on_message = self._message
        self.client.reconnect_delay_set(1, 2)
        if options.user:
            password = open(options.password_file).read().strip() if options.password_file else None
            self.client.username_pw_set(options.user, password)
        if options.ca_file:
            self.client.tls_set(options.ca_file, options.certificate, options.key)
        self.client.connect(options.host, options.port, keepalive=20)
        self.client.loop_start()

    def _connected(self, client, userdata, flags, code, properties=None):
        # Set Retain As Published, or retained messages could not be distinguished.
        if self.version == 5:
            client.subscribe([(t, SubscribeOptions(qos=1, retainAsPublished=True)) for t in self.topics])
        else:
            client.subscribe([(topic, 1) for topic in self.topics])

    def _subscribed(self, *_):
        with self.lock:
            self.subscribed = True
            self.lock.notify_all()

    def _message(self, client, userdata, message):
        properties = getattr(message, "properties", None)
        received = ReceivedMessage(message.topic, message.payload, message.qos, bool(message.retain), time.monotonic())
        if properties is not None:
            received.expiry = getattr(properties, "MessageExpiryInterval", None)
            received.content_type = getattr(properties, "ContentType", None)
            received.user = dict(getattr(properties, "UserProperty", []) or [])
            received.correlation = getattr(properties, "CorrelationData", None)
        with self.lock:
            self.messages.append(received)
            self.lock.notify_all()

    def ready(self, seconds=10):
        return self.wait(lambda: self.subscribed, seconds)

    def all(self, matches=lambda received: True, since=0):
        with self.lock:
            return [received for received in self.messages[since:] if matches(received)]

    def mark(self):
        with self.lock:
            return len(self.messages)

    def wait(self, condition, seconds):
        """Whether the condition became true in time; it is checked whenever a message arrives."""
        deadline = time.monotonic() + seconds
        while True:
            if condition():
                return True
            with self.lock:
                left = deadline - time.monotonic()
                if left <= 0:
                    return bool(condition())
                self.lock.wait(min(left, 0.2))

    def wait_for(self, matches, seconds, since=0):
        """The first message that matches, or None."""
        self.wait(lambda: self.all(matches, since), seconds)
        found = self.all(matches, since)
        return found[0] if found else None

    def publish(self, topic, payload, retain=False, qos=1, response=None, correlation=None):
        properties = None
        if self.version == 5 and response:
            properties = Properties(PacketTypes.PUBLISH)
            properties.ResponseTopic = response
            properties.CorrelationData = correlation
        if isinstance(payload, (dict, list)):
            payload = json.dumps(payload)
        arguments = {"properties": properties} if self.version == 5 else {}
        self.client.publish(topic, payload, qos, retain, **arguments).wait_for_publish(10)

    def close(self):
        self.client.disconnect()
        self.client.loop_stop()
