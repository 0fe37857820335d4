"""Somebody falls: the red box on every page, the red edge of the wall, and an operator who acknowledges it."""
import json
import math

# Along the body and across it, in own heights, in the order of a pose stream's joints.
BODY = [(1, .02), (.86, 0), (.86, .08), (.68, .1), (.5, .1), (.86, -.08), (.68, -.1), (.5, -.1), (.53, .06), (.27, .06),
        (0, .06), (.53, -.06), (.27, -.06), (0, -.06), (1.02, .01), (1.02, -.01), (1, .03), (1, -.03)]
NAMES = ("nose neck right_shoulder right_elbow right_wrist left_shoulder left_elbow left_wrist right_hip right_knee "
         "right_ankle left_hip left_knee left_ankle right_eye left_eye right_ear left_ear").split()
SECONDS = 240
SETTINGS = "alarm.enabled = true\nalarm.fall_seconds = 3\n"


def write_fall(path):
    """Somebody who stands for four seconds, tips over and lies there."""
    lines = [{"format": "spotter.poses", "version": 1, "joints": NAMES, "rate_hz": 30, "width": 640, "height": 480,
              "source": "fall.mp4"}]
    for frame in range(30 * SECONDS):
        angle = min(max(frame / 30 - 4, 0), 1) * 1.54
        points = [[.3 + .375 * (along * math.sin(angle) + across * math.cos(angle)),
                   .9 - .5 * (along * math.cos(angle) - across * math.sin(angle)), .95] for along, across in BODY]
        lines.append({"t": frame / 30, "poses": [{"track": 1, "keypoints": points}]})
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def told(test):
    """The page Live, another page and the wall tell of a fall."""
    browser, report, origin = test.browser, test.report, test.recorders[4].origin
    test.hall.start("--realtime")
    browser.open(origin + "/", "live")
    report.wait("the page tells of a fall", 40, lambda: (browser.count(".alarms p") == 1, browser.text("body")))
    box = browser.text(".alarms")
    report.check("it says what and where", "Somebody fell" in box and "Hall" in box, box)
    browser.picture(test.pictures / "alarm-live.png")
    browser.open(origin + "/history", "history")
    report.wait("another page tells of it as well", 15, lambda: (browser.count(".alarms p") == 1, browser.text("body")))
    browser.open(origin + "/tv", "tv")
    report.wait("the wall tells of it", 15, lambda: (browser.count(".alarmed.tv .alarms p") == 1, browser.text("body")))
    edge = browser.js("return getComputedStyle(document.body, '::after').borderTopStyle;")
    report.check("the wall has an edge, and nothing to press", edge == "solid" and browser.count(".alarms button") == 0, edge)
    browser.picture(test.pictures / "alarm-tv.png")


def acknowledged(test):
    """An operator acknowledges it on the page."""
    browser, report, origin = test.browser, test.report, test.recorders[4].origin
    browser.open(origin + "/", "live")
    report.wait("there is a button", 20, lambda: (browser.count(".alarms button") == 1, browser.text("body")))
    browser.click(".alarms button")
    report.wait("nothing is red any more", 10, lambda: (
        browser.count(".alarms p") == 0 and browser.count("body.alarmed") == 0, browser.text("body")))
    report.check("the command says the same", "No alarm is open." in test.hall.command("alarm"))
    rows = json.loads(test.hall.command("history", "alarms", "--json"))
    report.check("the history has it", [row["cause"] for row in rows] == ["fall"] and "acknowledged" in rows[0], rows)
    status, _, text = test.hall.request("GET", "/api/v1/history/alarms")
    report.same("the API has the same", [row["id"] for row in json.loads(text)], [row["id"] for row in rows])
    report.check("… and answers 200", status == 200, status)


def stop(test):
    test.report.check("the hall's node stops", test.hall.stop() == 0)
