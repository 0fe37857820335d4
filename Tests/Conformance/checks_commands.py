"""Section 1.6: commands."""
import time
import uuid

import jsonschema

checks = []


def check(number, title):
    return lambda function: checks.append((number, title, function)) or function


def answers(node, name, since):
    return node.client.all(lambda message: message.topic == f"{node.base}/res/{name}", since)


def raw(node, name, payload, seconds=5):
    """The answer to a payload that may be an invalid command."""
    since = node.client.mark()
    node.client.publish(f"{node.base}/cmd/{name}", payload)
    node.client.wait(lambda: answers(node, name, since), seconds)
    found = answers(node, name, since)
    return found[0] if found else None


def allowed(node, name):
    if name not in node.info()["commands"]:
        node.skip(f"{name} is not allowed")


@check("1.6-1", "a command is answered, in the answer's schema")
def ping(node):
    allowed(node, "ping")
    answer = node.command("ping")
    assert answer and answer["status"] == "ok", answer
    jsonschema.Draft202012Validator(node.schemas["res"]).validate(answer)


@check("1.6-2", "a retained command is not obeyed")
def retained(node):
    allowed(node, "ping")
    since = node.client.mark()
    topic = f"{node.base}/cmd/ping"
    node.client.publish(topic, {"id": "tck-retained"}, retain=True)
    time.sleep(2)
    node.client.publish(topic, "", retain=True)
    found = [message for message in answers(node, "ping", since) if message.json()["id"] == "tck-retained"]
    if node.client.version != 5 and found:
        node.skip("3.1.1 does not tell a retained message from another while both are connected")
    assert not found


@check("1.6-3", "what is no JSON object with an id is a bad request")
def bad(node):
    allowed(node, "ping")
    for payload in ("", "nonsense", "[]", '{"id":7}', '{"id":"a b"}', '{"id":"x","args":[]}', "{" * 500):
        answer = raw(node, "ping", payload)
        assert answer, f"no answer to {payload[:20]!r}"
        assert answer.json()["error"]["code"] == "bad_request", answer.payload
        assert len(answer.payload) <= 1024


@check("1.6-4", "more than 16 KiB is a bad request")
def large(node):
    allowed(node, "ping")
    answer = raw(node, "ping", {"id": "tck-large", "args": {"x": "y" * 16_400}})
    assert answer and answer.json()["error"]["code"] == "bad_request", answer


@check("1.6-5", "what is late is not carried out")
def expired(node):
    allowed(node, "ping")
    answer = node.command("ping", exp="2001-01-01T00:00:00Z")
    assert answer["error"]["code"] == "expired", answer


@check("1.6-6", "the same id is carried out once and answered twice")
def twice(node):
    allowed(node, "ping")
    identity = "tck-" + uuid.uuid4().hex[:8]
    since = node.client.mark()
    for _ in range(2):
        node.client.publish(f"{node.base}/cmd/ping", {"id": identity})

    def found():
        return [message.payload for message in answers(node, "ping", since) if message.json()["id"] == identity]

    assert node.client.wait(lambda: len(found()) == 2, 5), len(found())
    assert len(set(found())) == 1, found()


@check("1.6-7", "an unknown command is an error that names the known ones")
def unknown(node):
    answer = node.command("make_coffee")
    assert answer["error"]["code"] == "unknown_command" and "ping" in answer["error"]["message"], answer


@check("1.6-8", "a command that is not allowed is forbidden")
def forbidden(node):
    names = [name for name in ("session_delete", "reload", "log_level", "model_set", "preview", "restart")
             if name not in node.info()["commands"]]
    if not names:
        node.skip("everything is allowed")
    assert node.command(names[0])["error"]["code"] == "forbidden"


@check("1.6-9", "arguments are checked, and the error says what is known")
def arguments(node):
    allowed(node, "camera_set")
    answer = node.command("camera_set", {"camera": "no-such-camera", "enabled": True})
    assert answer["error"]["code"] == "unknown_camera" and node.cameras()[0] in answer["error"]["message"]
    answer = node.command("camera_set", {"camera": node.cameras()[0], "enabled": "yes"})
    assert answer["error"]["code"] == "invalid_args", answer


@check("1.6-10", "an answer goes where the asker wants it, with its correlation data")
def response_topic(node):
    allowed(node, "ping")
    if node.client.version != 5:
        node.skip("needs MQTT 5")
    since = node.client.mark()
    wanted = "spotter-conformance/" + uuid.uuid4().hex[:8]
    node.client.publish(f"{node.base}/cmd/ping", {"id": "tck-" + uuid.uuid4().hex[:8]}, response=wanted, correlation=b"k1")
    answer = node.client.wait_for(lambda message: message.topic == wanted, 5, since)
    assert answer and answer.correlation == b"k1", answer


@check("1.6-16", "an answer never goes where something is commanded or another node speaks")
def response_topic_of_others(node):
    allowed(node, "ping")
    if node.client.version != 5:
        node.skip("needs MQTT 5")
    for wanted in (f"{node.base}-other/cmd/restart", f"{node.base}-other/status", f"{node.base}/status",
                   "homeassistant/device/tck/config"):
        since = node.client.mark()
        identity = "tck-" + uuid.uuid4().hex[:8]
        node.client.publish(f"{node.base}/cmd/ping", {"id": identity}, response=wanted, correlation=b"k2")
        assert node.client.wait(
            lambda: any(message.json()["id"] == identity for message in answers(node, "ping", since)), 5), wanted
        assert not node.client.all(lambda message: message.topic == wanted and identity.encode() in message.payload, since), wanted


@check("1.6-11", "info and health are answered as they are published")
def documents(node):
    for name in ("info", "health"):
        allowed(node, name)
        data = node.command(name)["data"]
        jsonschema.Draft202012Validator(node.schemas[name]).validate(data)


@check("1.6-12", "ending a camera's sessions is answered when they are on disk")
def session_end(node):
    allowed(node, "session_end")
    answer = node.command("session_end", {"camera": node.cameras()[0]}, seconds=20)
    assert answer and answer["status"] == "ok" and isinstance(answer["data"]["sessions"], list), answer


@check("1.6-14", "a preview is a JPEG on its own topic, at most once a second, for as long as was asked")
def preview(node):
    camera = node.cameras()[0]
    topic = f"{node.base}/cam/{camera}/preview"
    assert not node.client.all(lambda message: message.topic == topic), "a preview nobody asked for"
    allowed(node, "preview")
    since = node.client.mark()
    answer = node.command("preview", {"camera": camera, "seconds": 3})
    assert answer and answer["status"] == "ok", answer
    time.sleep(5)
    found = node.client.all(lambda message: message.topic == topic, since)
    assert 2 <= len(found) <= 4, f"{len(found)} pictures in 3 s"
    for message in found:
        assert message.payload.startswith(b"\xff\xd8") and message.payload.endswith(b"\xff\xd9"), "no JPEG"
        assert message.qos == 0 and not message.retained and len(message.payload) <= 65_536
    if node.client.version == 5:
        assert found[0].content_type == "image/jpeg" and found[0].expiry <= 10, found[0].content_type


@check("1.6-15", "the log level is changed for a while, a model that is not there is not chosen")
def level_and_model(node):
    allowed(node, "log_level")
    answer = node.command("log_level", {"level": "info", "for_s": 1})
    assert answer and answer["data"] == {"level": "info", "for_s": 1}, answer
    assert node.command("log_level", {"level": "loud"})["error"]["code"] == "invalid_args"
    allowed(node, "model_set")
    answer = node.command("model_set", {"id": "no-such-model"})
    assert answer["error"]["code"] == "unknown_model", answer


@check("1.6-13", "a camera is switched off and on, by command and by switch")
def switch(node):
    if not node.options.switch:
        node.skip("no --switch")
    allowed(node, "camera_set")
    camera = node.cameras()[0]

    def becomes(word, state, since):
        enabled = node.client.wait_for(
            lambda h: node.leaf(h) == f"cam/{camera}/enabled" and h.payload == word.encode(), 10, since)
        status = node.client.wait_for(
            lambda h: node.leaf(h) == f"cam/{camera}/status" and h.json()["state"] == state, 10, since)
        return enabled and status

    since = node.client.mark()
    answer = node.command("camera_set", {"camera": camera, "enabled": False})
    assert answer["data"] == {"camera": camera, "enabled": False, "persisted": True}, answer
    assert becomes("OFF", "disabled", since), "it was not switched off"
    since = node.client.mark()
    node.client.publish(f"{node.base}/cam/{camera}/enabled/set", "ON")
    assert becomes("ON", "online", since), "it was not switched on"


def event(node, kind, workout, since, seconds=70):
    """The first event of a workout of this kind."""
    return node.client.wait_for(
        lambda message: message.topic.endswith("/event") and message.json().get("event_type") == kind
        and message.json().get("workout") == workout, seconds, since)


def records(node, workout, since):
    return node.client.all(lambda message: message.topic == f"{node.base}/rec/workout"
                           and message.json()["id"] == workout, since)


@check("1.6-20", "a workout is started, counted, told, stopped and recorded")
def workout(node):
    allowed(node, "workout_start")
    camera, since = node.cameras()[0], node.client.mark()
    answer = node.command("workout_start", {"plan": "full-body", "camera": camera, "name": "tck"})
    assert answer and answer["status"] == "ok", answer
    id = answer["data"]["workout"]
    assert event(node, "workout_started", id, since), "no workout_started"
    # Its first exercise is one of the clip that plays over and over.
    started = event(node, "step_started", id, since)
    assert started and started.json()["step"] == 1 and started.json()["action"] == "jumping_jack", started
    state = node.client.wait_for(
        lambda message: message.topic == f"{node.base}/cam/{camera}/workouts"
        and any(one["id"] == id and one["phase"] == "active" for one in message.json()["workouts"]), 20, since)
    assert state, "no state with the workout"
    jsonschema.Draft202012Validator(node.schemas["cam_workouts"]).validate(state.json())
    skipped = node.command("workout_skip", {"workout": id})
    assert skipped and skipped["data"]["step"] == 2, skipped
    stopped = node.command("workout_stop", {"workout": id})
    assert stopped and stopped["data"]["end_reason"] == "stopped", stopped
    assert event(node, "workout_ended", id, since), "no workout_ended"
    node.client.wait(lambda: any(one.json()["final"] for one in records(node, id, since)), 20)
    found = [one.json() for one in records(node, id, since)]
    assert found and found[-1]["final"] and found[-1]["body"]["name"] == "tck", found
    assert found[-1]["body"]["steps"][0]["skipped"], found[-1]
    for one in found:
        jsonschema.Draft202012Validator(node.schemas["rec_workout"]).validate(one)


@check("1.6-21", "a name that is deleted comes again without it")
def name(node):
    allowed(node, "name_delete")
    since = node.client.mark()
    answer = node.command("name_delete", {"name": "tck"})
    assert answer and answer["status"] == "ok" and answer["data"]["workouts"] >= 1, answer
    found = node.client.wait_for(lambda message: message.topic == f"{node.base}/rec/workout"
                                 and "name" not in message.json()["body"], 20, since)
    assert found, "no record without the name"


@check("1.6-22", "a plan, a workout or a camera that does not exist is an error")
def no_workout(node):
    allowed(node, "workout_start")
    camera = node.cameras()[0]
    for command, arguments, code in [
            ("workout_start", {"plan": "tck-none", "camera": camera}, "unknown_plan"),
            ("workout_start", {"plan": "../config", "camera": camera}, "unknown_plan"),
            ("workout_start", {"plan": "legs", "camera": "tck-none"}, "unknown_camera"),
            ("workout_start", {"plan": "legs", "camera": camera, "name": "a\nb"}, "invalid_args"),
            ("workout_start", {"plan": 7}, "invalid_args"), ("workout_stop", {"workout": "tck-none"}, "unknown_workout")]:
        answer = node.command(command, arguments)
        assert answer and answer["status"] == "error" and answer["error"]["code"] == code, (arguments, answer)


@check("1.6-23", "the pain is taken only where it is asked for")
def pain(node):
    allowed(node, "workout_pain")
    for pain, code in [(3, "unknown_workout"), (11, "invalid_args"), ("3", "invalid_args")]:
        answer = node.command("workout_pain", {"pain": pain})
        assert answer and answer["status"] == "error" and answer["error"]["code"] == code, (pain, answer)
