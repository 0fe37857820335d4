"""What happens now: the live page, and a node that is killed, comes back and stops."""
import functools
import json
import pathlib
import re
import time

from node import LiveReader
from report import until

# The card of the camera whose name is a script's first argument.
CARD = ("[...document.querySelectorAll('#cards > *')]"
        ".find((card) => card.querySelector('h2')?.textContent === arguments[0])")


def hide_a_wrist(stream):
    """Makes the second person's left wrist a guess: nothing may be drawn there."""
    header, *frames = stream.read_text().splitlines()
    wrist = json.loads(header)["joints"].index("left_wrist")
    with stream.open("w") as file:
        file.write(header + "\n")
        for line in frames:
            frame = json.loads(line)
            frame["poses"][1]["keypoints"][wrist][2] = 0.3
            file.write(json.dumps(frame, separators=(",", ":")) + "\n")


@functools.cache
def shipped_names():
    """The names of the shipped model's labels."""
    data = (pathlib.Path(__file__).resolve().parents[2] / "Models/exercises.safetensors").read_bytes()
    header = json.loads(data[8:8 + int.from_bytes(data[:8], "little")])
    return json.loads(header["__metadata__"]["spotter"]).get("display_names", {})


def label_name(words, label):
    """A label as the page writes it."""
    name = words["labels"].get(label) or shipped_names().get(label, label.replace("_", " "))
    return name[:1].upper() + name[1:]


def pattern(sentence):
    """A sentence of the page with anything in the place of {name}."""
    return re.sub(r"\\\{\w+\\\}", ".+", re.escape(sentence))


def person(node, camera):
    """The prominent person in front of a camera, as the API tells it."""
    state = next(one for one in node.get("state")["cameras"] if one["camera"] == camera)
    return next((one for one in state["persons"] if one["prominent"]), None)


def card(browser, name):
    """What a camera's card shows."""
    return browser.js(f"""
        const card = {CARD};
        if (!card) return null;
        const text = (selector) => card.querySelector(selector)?.textContent ?? null;
        return {{ old: card.classList.contains('old'), label: text('.action'), count: text('.hero b'),
            countWords: text('.hero span'), stale: text('.stale'), state: text('.state'), facts: text('.facts-line'),
            lit: probe.lit(card.querySelector('canvas')) }};""", name)


def sample(browser, name, camera):
    return browser.wait_js(f"return probe.sample(({CARD}).querySelector('canvas'), arguments[1]);", name, camera)


def steady_count(node, camera, shown):
    """Compares what `shown` returns with the repetitions of the API, which must not have changed for half a second."""
    before = person(node, camera)
    time.sleep(0.5)
    count, after = shown(), person(node, camera)
    reps = [one["set"]["reps"] if one and one.get("set") else None for one in (before, after)]
    return (reps[0] or 0) > 0 and reps[0] == reps[1] == as_count(count), (reps, count)


def as_count(text):
    return int(text) if text and text.isdigit() else None


def live(test):
    browser, report, node = test.browser, test.report, test.front
    browser.open(node.origin + "/", "live")
    report.wait("the page has a card for each camera", 20, lambda: (
        browser.count("#cards > *") == 3, f"{browser.count('#cards > *')} cards, text {browser.text('main')}"))
    words = browser.words()
    report.check("the browser's pages have a title", "Spotter" in browser.driver.title, browser.driver.title)

    def same_label():
        one, shown = person(node, "floor"), card(browser, "Floor")
        label = (one.get("set") or one)["label"] if one else None
        return label in node.get("state")["model"]["exercises"] and shown["label"] == label_name(words, label), (one, shown)
    report.wait("the card's label is the exercise that the API tells", 40, same_label)


def skeletons(test):
    browser, report, node = test.browser, test.report, test.front
    # Names over heads would be stray pixels.
    if browser.js("return document.querySelector('#view [name=labels]').checked;"):
        browser.click("#view [name=labels]")
    reader = LiveReader(node, 30)
    reader.start()
    samples = {"floor": [], "pair": []}

    def ten_of_each():
        for name, camera in (("Floor", "floor"), ("Pair", "pair")):
            one = sample(browser, name, camera)
            # Between two rounds of the clip nobody may be in view.
            if one and one["people"] and one["time"] not in [other["time"] for other in samples[camera]]:
                samples[camera].append(one)
        counts = {camera: len(found) for camera, found in samples.items()}
        return min(counts.values()) >= 10, counts
    report.wait("ten moments of two cameras were compared with the canvas", 20, ten_of_each)
    for camera, seen in samples.items():
        joints, limbs = sum(one["joints"] for one in seen), sum(one["limbs"] for one in seen)
        missing = [(one["time"], one["missing"]) for one in seen if one["missing"]]
        report.check(f"{camera}: each of {joints} sure joints and {limbs} limbs is drawn where the event says",
                     joints > 50 and not missing, missing or "no joints")
        stray = [(one["time"], one["stray"], one["strayAt"]) for one in seen if one["stray"]]
        report.check(f"{camera}: the canvas is black away from all bones", seen and not stray, stray)
        wrong = [one["coloursWrong"] for one in seen if one["coloursWrong"]]
        right = sum(one["coloursRight"] for one in seen)
        whose = "their person" if camera == "pair" else "their side"
        report.check(f"{camera}: {right} limbs have the colour of {whose}", right > 10 and not wrong, wrong)
    unsure = sum(one["unsure"] for one in samples["pair"])
    report.check("pair: a joint that the network is not sure of was among them, and is not drawn", unsure >= 5, unsure)

    # The page's events are those that every program gets.
    reader.finish()
    known = [one for found in samples.values() for one in found if (one["camera"], one["time"]) in reader.poses]
    other = [one["pose"] for one in known if reader.poses[one["camera"], one["time"]] != one["pose"]]
    report.check(f"{len(known)} of these poses came to another reader as well, and are the same",
                 len(known) >= 5 and not other, other or f"{len(known)} known, error {reader.error}")
    test.live_text = reader.text

    browser.click("#view [name=skeleton]")
    report.wait("without skeletons the canvas is black", 5, lambda: (
        card(browser, "Floor")["lit"] == 0, card(browser, "Floor")))
    browser.click("#view [name=skeleton]")
    report.wait("with skeletons it is not", 5, lambda: (card(browser, "Floor")["lit"] > 100, card(browser, "Floor")))
    browser.click("#view [name=labels]")
    report.wait("the last minute's strip is drawn", 10, lambda: (
        browser.js(f"return probe.lit(({CARD}).querySelector('canvas.timeline'));", "Floor") > 50, "an empty strip"))


def counting(test):
    browser, report, node = test.browser, test.report, test.front

    report.wait("the card counts repetitions, and as the API does", 45, lambda: steady_count(
        node, "floor", lambda: card(browser, "Floor")["count"]))
    seen = []

    def grown():
        shown = card(browser, "Floor")
        seen.append((shown["label"], as_count(shown["count"])))
        return any(label == before and None not in (count, last) and count > last
                   for (before, last), (label, count) in zip(seen, seen[1:])), seen[-20:]
    report.wait("the count grows", 45, grown)


def switching(test):
    browser, report, node = test.browser, test.report, test.front
    words = browser.words()
    button = f"({CARD}).querySelector('button.switch')"

    def camera():
        return next(one for one in node.get("state")["cameras"] if one["camera"] == "pair")
    browser.js(f"{button}.click();", "Pair")
    report.wait("the page asks before it switches a camera off", 5, lambda: (browser.count("#confirm") == 1, "no dialog"))
    browser.click("#confirm button[value='']")
    report.check("and cancelled, nothing changes", camera()["enabled"] and browser.count("#confirm") == 0, camera())
    for enabled, state in ((False, "off"), (True, "online")):
        browser.js(f"{button}.click();", "Pair")
        if not enabled:
            browser.click("#confirm button[value=yes]")
        report.wait(f"the button switches the camera {'on' if enabled else 'off'}, and the card says so", 12, lambda: (
            camera()["enabled"] is enabled and card(browser, "Pair")["state"] == words["state_" + state],
            (camera()["state"], card(browser, "Pair"))))


def killed(test):
    browser, report, node = test.browser, test.report, test.front
    words = browser.words()
    with browser.expecting(r"net::ERR_", r"EventSource"):
        browser.js("window.marker = 'not loaded again';")
        before = browser.js("return probe.poses.floor.time;")
        node.kill()
        killed_at = time.monotonic()

        def stale():
            shown, seconds = card(browser, "Floor"), time.monotonic() - killed_at
            told = [int(digits) for digits in re.findall(r"\d+", shown["stale"])]
            is_age = len(told) == 1 and re.fullmatch(pattern(words["no_data"]), shown["stale"])
            return shown["old"] and is_age and abs(told[0] - seconds) < 3, (f"after {seconds:.1f} s", shown)
        report.wait("without the node the card says how old its data is", 6, stale)
        report.wait("and the page says that the connection is lost", 4, lambda: (
            browser.text(".banner") == words["lost_connection"], browser.text(".banner")))
        report.wait("and nothing says that the camera is well", 4, lambda: (
            browser.text(".camera .state") == words["state_unknown"], browser.text(".camera .state")))
        ages = []

        def ageing():
            ages.append(card(browser, "Floor")["stale"])
            return len(set(ages)) >= 3, ages
        report.wait("the age grows", 8, ageing)
        report.wait("after ten seconds no old number and no old skeleton is left", 15, lambda: (
            (lambda shown: (shown["lit"] == 0 and as_count(shown["count"]) is None, shown))(card(browser, "Floor"))))
        seconds = time.monotonic() - killed_at
        report.check(f"but not before (after {seconds:.0f} s)", seconds > 8, f"after {seconds:.1f} s")
        node.start("--realtime")
        started = time.monotonic()

        def back():
            shown, newest = card(browser, "Floor"), browser.js("return probe.poses.floor.time;")
            is_new = newest > before and not shown["old"] and not shown["stale"]
            return is_new and shown["lit"] > 100, (shown, newest)
        report.wait("the page goes on when the node is back", 40, back)
        print(f"    back {time.monotonic() - started:.1f} s after the node", flush=True)
        report.check("without being loaded again", browser.js("return window.marker;") == "not loaded again")
        report.check("the banner is gone", browser.text(".banner") in (None, ""), browser.text(".banner"))
    # Labels would be stray pixels.
    browser.click("#view [name=labels]")
    found = until(10, lambda: (lambda one: (one and one["people"], one))(sample(browser, "Floor", "floor")))[1]
    browser.click("#view [name=labels]")
    report.check("and draws the new poses where the events say", found and found["joints"] > 5
                 and not found["missing"] and not found["stray"], found)


def stopped(test):
    browser, report = test.browser, test.report
    browser.open(test.recorders[0].origin + "/", "live")
    report.wait("a browser follows the node", 20, lambda: (
        browser.js("return probe.events.pose > 0;"), browser.text("main")))
    with browser.expecting(r"net::ERR_", r"EventSource"):
        status = test.front.stop()
        report.check("SIGTERM ends the node with status 0, although a browser follows it", status == 0, status)
        browser.open("about:blank", "live")
