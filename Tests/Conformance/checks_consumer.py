"""Section 1.3: a consumer's word counts, not the broker's. Sessions are ended, so that there are records."""
import subprocess
import time

checks = []


def check(number, title):
    return lambda function: checks.append((number, title, function)) or function


def needs(node):
    """The consumer's topic. Skips unless the node has this consumer.

    The broker is not restarted here: without its memory it would have records to deliver before this script is back.
    """
    if not node.options.consumer:
        node.skip("no --consumer")
    if "sync" not in node.info()["commands"] or "info" not in node.info()["commands"]:
        node.skip("sync or info is not allowed")
    return f"{node.base}/ack/{node.options.consumer}"


def position(node):
    """The node's epoch and the number of its newest record."""
    for _ in range(20):
        answer = node.command("info", seconds=3)
        if answer:
            return answer["data"]["epoch"], answer["data"]["seq"]
    raise AssertionError("the node does not answer")


def numbers(node, epoch, since):
    found = [message.json() for message in node.own(since) if node.leaf(message).startswith("rec/") and message.payload]
    return {record["seq"] for record in found if record["epoch"] == epoch}


def acknowledge(node, topic, epoch, seq):
    node.client.publish(topic, {"epoch": epoch, "seq": seq}, retain=True)
    answer = node.command("health")
    acked = answer and answer["data"]["outbox"]["acked"][node.options.consumer]
    assert acked == seq, f"the node counts {acked} as acknowledged, not {seq}"


def make_records(node, epoch, beyond, count=4, seconds=240):
    """Waits until `count` records after `beyond` were received, and returns their numbers."""
    since = node.client.mark()
    deadline = time.monotonic() + seconds
    found = set()
    while len(found) < count:
        assert time.monotonic() < deadline, f"only {len(found)} records in {seconds} s"
        for camera in node.cameras():
            if "session_end" in node.info()["commands"]:
                node.command("session_end", {"camera": camera}, seconds=20)
        node.client.wait(lambda: False, 3)
        found = {seq for seq in numbers(node, epoch, since) if seq > beyond}
    return found


def restart(node, command):
    """Runs the command and waits until the node has a new connection."""
    before, since = node.status()["sid"], node.client.mark()
    subprocess.run(command, shell=True, check=True)
    assert node.client.wait(
        lambda: any(message.json()["state"] == "online" and message.json()["sid"] > before
                    for message in node.on("status", since)), 60), "the node did not come back"
    return since


def come_again(node, epoch, wanted, since):
    assert node.client.wait(lambda: wanted <= numbers(node, epoch, since), 30), \
        f"not sent again: {sorted(wanted - numbers(node, epoch, since))}"


@check("1.3-7", "what the broker acknowledged and the consumer did not comes again after a reconnect")
def reconnect(node):
    topic = needs(node)
    if not node.options.cut_node:
        node.skip("no --cut-node")
    epoch, seq = position(node)
    acknowledge(node, topic, epoch, seq)
    wanted = make_records(node, epoch, seq)
    since = restart(node, node.options.cut_node)
    come_again(node, epoch, wanted, since)


@check("1.3-8", "… and after the node's restart")
def restarted(node):
    topic = needs(node)
    if not node.options.restart_node:
        node.skip("no --restart-node")
    epoch, seq = position(node)
    acknowledge(node, topic, epoch, seq)
    wanted = make_records(node, epoch, seq)
    since = restart(node, node.options.restart_node)
    assert position(node)[0] == epoch, "a restart began a new epoch"
    come_again(node, epoch, wanted, since)


@check("1.3-9", "what the consumer acknowledged does not come again, and all that follows does")
def only_above(node):
    topic = needs(node)
    commands = [command for command in (node.options.cut_node, node.options.restart_node) if command]
    if not commands:
        node.skip("neither --cut-node nor --restart-node")
    epoch, seq = position(node)
    acknowledge(node, topic, epoch, seq)
    wanted = sorted(make_records(node, epoch, seq))
    middle = wanted[len(wanted) // 2 - 1]
    acknowledge(node, topic, epoch, middle)
    for command in commands:
        since = restart(node, command)
        come_again(node, epoch, {seq for seq in wanted if seq > middle}, since)
        time.sleep(5)
        again = sorted(seq for seq in numbers(node, epoch, since) if seq <= middle)
        assert not again, f"sent again although acknowledged up to {middle}: {again}"
