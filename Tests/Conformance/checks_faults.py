"""Sections 1.2 and 3: what a node does when something goes wrong around it."""
import subprocess
import time

checks = []


def check(number, title):
    return lambda function: checks.append((number, title, function)) or function


@check("3-8", "a node that is said to be offline while it is here says that it is online")
def repair(node):
    since = node.client.mark()
    node.client.publish(f"{node.base}/status", {"v": 1, "state": "offline", "sid": node.status()["sid"]}, retain=True)
    back = node.client.wait_for(
        lambda message: node.leaf(message) == "status" and message.json()["state"] == "online", 5, since)
    assert back, "it did not"


@check("3-2", "a broker that forgot everything has it all again within 30 s, under a higher number")
def broker_restart(node):
    if not node.options.restart_broker:
        node.skip("no --restart-broker")
    before = node.status()["sid"]
    foreign = ("/ack/", "/cmd/")
    wanted = {h.topic for h in node.kept() if not any(word in h.topic for word in foreign)}
    since = node.client.mark()
    subprocess.run(node.options.restart_broker, shell=True, check=True)

    def missing():
        # Retained messages that have not expired need not be sent again.
        there = {message.topic for message in node.own(since)}
        return {topic for topic in wanted - there if not topic.endswith("/counts")}

    assert node.client.wait(lambda: not missing() and node.status()["state"] == "online", 30), missing()
    assert node.status()["sid"] > before
    states = [message.json()["state"] for message in node.on("status", since)]
    assert states[-1] == "online" and "offline" not in states[states.index("online"):], states


@check("1.2-8", "a node that dies is said to be offline, under the number of its connection")
def will(node):
    if not node.options.kill_node:
        node.skip("no --kill-node")
    sid = node.status()["sid"]
    since = node.client.mark()
    # From before the command, which takes its time on a busy machine.
    killed = time.monotonic()
    subprocess.run(node.options.kill_node, shell=True, check=True)
    death = node.client.wait_for(
        lambda message: node.leaf(message) == "status" and message.json()["state"] == "offline", 60, since)
    assert death, "nothing was said within 60 s"
    assert death.json()["sid"] == sid, death.payload
    if node.client.version == 5:
        delay = death.at - killed
        assert delay > 5, f"the will came after {delay:.1f} s: a short gap in the Wi-Fi would look like a death"
