"""Section 1.5: the description for Home Assistant."""
checks = []


def check(number, title):
    return lambda function: checks.append((number, title, function)) or function


ROOT = {"device", "origin", "availability", "availability_mode", "qos", "components"}
DEVICE = {"identifiers", "name", "manufacturer", "model", "sw_version", "hw_version", "serial_number",
          "suggested_area", "configuration_url"}
PLATFORMS = {"sensor", "binary_sensor", "event", "switch", "button", "device_automation"}


def topic(node):
    return f"homeassistant/device/spotter_{node.node}/config"


def configuration(node):
    found = node.client.all(lambda message: message.topic == topic(node) and message.payload)
    if not found:
        node.skip("discovery is switched off")
    return found[-1]


@check("1.5-1", "the description is kept, once for the whole node")
def kept(node):
    configuration(node)
    kept = [message for message in node.late.all(lambda message: message.topic == topic(node)) if message.retained]
    # Some old brokers deliver a retained message several times; the copies must be identical.
    assert len({message.payload for message in kept}) == 1, len(kept)
    assert node.client.version != 5 or kept[0].qos == 1, kept[0].qos


@check("1.5-2", "root and device hold known keys only")
def known(node):
    root = configuration(node).json()
    assert set(root) <= ROOT and "origin" in root, set(root) - ROOT
    assert set(root["device"]) <= DEVICE, set(root["device"]) - DEVICE
    assert root["device"]["identifiers"] == [f"spotter_{node.node}"]


@check("1.5-3", "every component has a known platform, an id, an entity id and a quality of service")
def components(node):
    for key, component in configuration(node).json()["components"].items():
        assert component["platform"] in PLATFORMS and component["qos"] == 1, key
        if component["platform"] == "device_automation":
            continue
        assert component["unique_id"] == f"{node.node}_{key}", key
        wanted = f"{component['platform']}.{node.node}_{key}".replace("-", "_")
        assert component["default_entity_id"] == wanted, component["default_entity_id"]


@check("1.5-4", "there are components for each camera and each exercise of the model")
def complete(node):
    components = configuration(node).json()["components"]
    for camera in node.cameras():
        wanted = [f"{camera}_{word}" for word in ("action", "busy", "event", "ended")]
        wanted += [f"{camera}_{label}_s" for label in node.info()["model"]["exercises"]]
        missing = [key for key in wanted if key not in components]
        assert not missing, missing
        options = components[f"{camera}_action"]["options"]
        assert set(node.info()["model"]["labels"]) <= set(options) and len(set(options)) == len(options)


@check("1.5-5", "a camera's availability is at its live values only")
def availability(node):
    for key, component in configuration(node).json()["components"].items():
        topics = [entry["topic"] for entry in component.get("availability", [])]
        is_live = key.endswith(("_action", "_busy"))
        assert any("/cam/" in t for t in topics) == is_live, key
        assert not ("expire_after" in component and component["state_topic"].endswith(("state", "counts"))), key


@check("1.5-6", "every topic in it is this node's")
def topics(node):
    for key, component in configuration(node).json()["components"].items():
        for name, value in component.items():
            if name.endswith("topic"):
                assert value.startswith(node.base + "/"), f"{key}: {value}"


@check("1.5-8", "a switch and a button are shown only where they are obeyed")
def obeyed(node):
    platforms = {component["platform"] for component in configuration(node).json()["components"].values()}
    assert ("switch" in platforms) == ("camera_set" in node.info()["commands"])
    assert ("button" in platforms) == ("restart" in node.info()["commands"])


@check("1.5-9", "after a birth there is a value on every topic that the description names, within a minute")
def values(node):
    components = configuration(node).json()["components"].values()
    wanted = {c["state_topic"] for c in components if "state_topic" in c and c["platform"] != "event"}
    since = node.client.mark()
    node.client.publish("homeassistant/status", "online")
    assert node.client.wait(
        lambda: wanted <= {message.topic for message in node.client.all(lambda h: h.payload, since)}, 60), wanted


@check("1.5-7", "a birth of Home Assistant is answered within five seconds, states after it")
def birth(node):
    configuration(node)
    since = node.client.mark()
    node.client.publish("homeassistant/status", "online")
    again = node.client.wait_for(lambda message: message.topic == topic(node), 6, since)
    assert again, "no description came"
    camera = node.cameras()[0]
    state = node.client.wait_for(
        lambda message: message.topic == f"{node.base}/cam/{camera}/status" and message.at >= again.at, 3, since)
    assert state, "no state came after it"
