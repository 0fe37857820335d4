"""Sections 1.1 to 1.4: topics, payloads, records, properties."""
import re

import jsonschema

checks = []


def check(number, title):
    return lambda function: checks.append((number, title, function)) or function


ID = r"[a-z0-9][a-z0-9_-]{0,62}"
# Schema by the part of the topic after the node id.
LEAVES = {
    r"status": "status", r"info": "info", r"health": "health", r"occupancy": "occupancy", r"alarm": "alarm",
    rf"cam/{ID}/status": "cam_status",
    rf"cam/{ID}/state": "cam_state", rf"cam/{ID}/workouts": "cam_workouts",
    rf"cam/{ID}/counts": "cam_counts", rf"cam/{ID}/live": "cam_live",
    rf"cam/{ID}/event": "cam_event", rf"cam/{ID}/enabled": "cam_enabled", rf"cam/{ID}/enabled/set": "cam_enabled_set",
    r"rec/session": "rec_session", r"rec/rollup": "rec_rollup", r"rec/workout": "rec_workout", r"rec/absence": "rec_absence", r"rec/gap": "rec_gap",
    rf"ack/{ID}": "ack", rf"cmd/{ID}": "cmd", rf"res/{ID}": "res",
}
KEPT = {"status", "info", "occupancy", "alarm", "cam_status", "cam_state", "cam_workouts", "cam_counts", "cam_enabled", "ack"}
AT_MOST_ONCE = {"health", "cam_live"}
EXPIRY = {"health": 90, "cam_counts": 172_800, "cam_live": 5, "cam_event": 30, "res": 60}
SUBSCRIBED_BY_NODE = {"ack", "cmd", "cam_enabled_set"}


def kind(node, message):
    leaf = node.leaf(message)
    return next((name for pattern, name in LEAVES.items() if re.fullmatch(pattern, leaf)), None)


def published(node):
    """Every message of the node so far, with its kind."""
    pairs = [(kind(node, message), message) for message in node.own() if message.payload]
    return [(name, message) for name, message in pairs if name not in SUBSCRIBED_BY_NODE]


@check("1.1-1", "every topic is one of the contract's")
def topics(node):
    strange = {message.topic for name, message in published(node) if name is None and not message.topic.endswith("/log")}
    assert not strange, strange
    assert re.fullmatch(ID, node.node) and re.fullmatch(ID, node.site)


@check("1.1-2", "what is to be kept is kept")
def kept(node):
    wanted = {"status", "info"} | {
        f"cam/{camera}/{leaf}" for camera in node.cameras() for leaf in ("status", "enabled")}
    there = {node.leaf(message) for message in node.kept()}
    assert wanted <= there, f"not kept: {wanted - there}"


@check("1.1-3", "nothing else is kept")
def not_kept(node):
    wrong = {message.topic for message in node.kept() if kind(node, message) not in KEPT}
    assert not wrong, wrong


@check("1.1-4", "every message has its quality of service")
def quality(node):
    pairs = [(name, message) for name, message in published(node) if name]
    if node.client.version != 5:
        # Some old brokers deliver every message with the qos of the subscription.
        pairs = [(name, message) for name, message in pairs if name not in AT_MOST_ONCE]
    wrong = {message.topic for name, message in pairs if message.qos != (0 if name in AT_MOST_ONCE else 1)}
    assert not wrong, wrong


@check("1.1-5", "what gets old expires")
def expiry(node):
    if node.client.version != 5:
        node.skip("needs MQTT 5")
    for name, message in published(node):
        if name in EXPIRY:
            assert message.expiry is not None and message.expiry <= EXPIRY[name], f"{message.topic}: {message.expiry}"
    assert any(name in EXPIRY for name, _ in published(node)), "nothing that expires was received"


@check("1.2-1", "every payload fits its schema")
def schemas(node):
    count = 0
    for name, message in published(node):
        if name is None:
            continue
        if name == "cam_preview":
            assert message.payload.startswith(b"\xff\xd8"), "a preview is a JPEG"
            continue
        value = message.payload.decode() if name == "cam_enabled" else message.json()
        jsonschema.Draft202012Validator(node.schemas[name]).validate(value)
        count += 1
    assert count >= 4, f"only {count} messages were received"


@check("1.2-2", "status is online, with a number and a boot id")
def status(node):
    status = node.status()
    assert status["state"] == "online" and status["sid"] > 0 and status["boot"], status


@check("1.2-3", "info has at most 8 KiB and no secret")
def info(node):
    text = node.on("info")[-1].payload.decode()
    assert len(text.encode()) <= 8192, len(text)
    for word in ("/home/", "rtsp://", "password", "key_file"):
        assert word not in text, word
    assert node.info()["node"] == node.node and node.info()["site"] == node.site


@check("1.2-4", "a camera's status belongs to the connection that stands")
def camera_status(node):
    for camera in node.cameras():
        assert node.on(f"cam/{camera}/status")[-1].json()["sid"] == node.status()["sid"], camera


@check("1.2-5", "state comes at most once a second")
def state_rate(node):
    for camera in node.cameras():
        times = [message.at for message in node.on(f"cam/{camera}/state") if not message.retained or node.client.version == 5]
        gaps = [b - a for a, b in zip(times[1:], times[2:])]
        assert all(gap > 0.8 for gap in gaps), min(gaps)


@check("1.2-6", "live predictions carry 18 joints with three decimals, or none")
def keypoints(node):
    lives = [message.json() for name, message in published(node) if name == "cam_live"]
    if not lives:
        node.skip("live is switched off, or nobody is there")
    for live in lives:
        for joint in live.get("keypoints", []):
            assert all(round(value, 3) == value for value in joint), joint


@check("1.2-7", "a heartbeat comes every 30 s")
def heartbeat(node):
    health = node.client.wait_for(lambda message: message.topic == node.base + "/health", 32)
    assert health, "none within 32 s"
    body = health.json()
    assert body["ok"] == (not body["problems"])


def records(node):
    found = [message.json() for message in node.own() if node.leaf(message).startswith("rec/") and message.payload]
    return [record for record in found if record["epoch"] == node.info()["epoch"]]


@check("1.3-1", "new records come in order")
def order(node):
    seqs = [record["seq"] for record in records(node) if not record["hist"]]
    if not seqs:
        node.skip("no record was written meanwhile")
    first = list(dict.fromkeys(seqs))
    assert first == sorted(first), first


@check("1.3-2", "an id and a revision always mean the same")
def revisions(node):
    known = {}
    for record in records(node):
        body = known.setdefault((record["type"], record["id"], record["rev"]), record["body"])
        assert body == record["body"] or record["body"].get("deleted") is True, record["id"]


@check("1.3-3", "what is asked for again comes again, as history")
def sync(node):
    if "sync" not in node.info()["commands"]:
        node.skip("sync is not allowed")
    # The retained birth message has the log's position at the connect; ask the node for the present one.
    info = (node.command("info") or {}).get("data") or node.info()
    if not info["seq"]:
        node.skip("the log is empty")
    since = node.client.mark()
    start = max(1, info["seq"] - 9)
    answer = node.command("sync", {"epoch": info["epoch"], "from_seq": start, "to_seq": info["seq"]})
    assert answer and answer["status"] == "ok", answer
    wanted = answer["data"]["records"]

    def again():
        found = [h.json() for h in node.own(since) if node.leaf(h).startswith("rec/")]
        return {r["seq"] for r in found if r["hist"] and start <= r["seq"] <= info["seq"]}

    assert node.client.wait(lambda: len(again()) == wanted, 20), f"{sorted(again())}, expected {wanted}"


@check("1.3-4", "another epoch is refused")
def epoch(node):
    if "sync" not in node.info()["commands"]:
        node.skip("sync is not allowed")
    answer = node.command("sync", {"epoch": "00000000-0000-7000-8000-000000000000", "from_seq": 1})
    assert answer["error"]["code"] == "unknown_epoch", answer


@check("1.3-5", "an acknowledgement from the future changes nothing")
def future(node):
    consumer = node.options.consumer
    if not consumer:
        node.skip("no --consumer")
    topic = f"{node.base}/ack/{consumer}"
    node.client.publish(topic, {"epoch": node.info()["epoch"], "seq": 10**12})
    answer = node.command("health")
    assert answer["data"]["outbox"]["acked"][consumer] < 10**12, answer


@check("1.3-6", "a true acknowledgement moves the cursor")
def acknowledgement(node):
    consumer = node.options.consumer
    if not consumer:
        node.skip("no --consumer")
    info = node.command("info")["data"]
    node.client.publish(f"{node.base}/ack/{consumer}", {"epoch": info["epoch"], "seq": info["seq"]}, retain=True)
    answer = node.command("health")
    assert answer["data"]["outbox"]["acked"][consumer] == info["seq"], answer


@check("1.4-1", "content type and user properties are set")
def properties(node):
    if node.client.version != 5:
        node.skip("needs MQTT 5")
    for name, message in published(node):
        wanted = "text/plain" if name == "cam_enabled" else "application/json"
        assert message.content_type == wanted, f"{message.topic}: {message.content_type}"
        if name and name.startswith("rec_"):
            record = message.json()
            assert message.user == {"v": "1", "type": record["type"], "seq": str(record["seq"])}, message.user
