"""Kept joints of sessions: a set is replayed and becomes a training clip, where they are kept."""
from datetime import datetime

from checks_clips import close_replay, replayed
from checks_live import label_name
from checks_zones import RACK


def kept(test):
    browser, report, node = test.browser, test.report, test.gym
    session = next(one for one in node.history("sessions", {"zone": RACK}) if one["sets"])
    chosen = session["sets"][0]
    poses = node.get(f"sessions/{session['id']}/poses?set={chosen['number']}")
    report.check("the joints of the set are kept", len(poses["frames"]) > 30 and any(poses["frames"]),
                 len(poses["frames"]))
    browser.open(f"{test.recorders[2].origin}/session?id={session['id']}", "session")
    words = browser.words()
    label = label_name(words, chosen["label"])
    button = f"#sets button[aria-label^='{words['replay']}: {label}']"
    report.wait("the session's page offers the replay of the set", 15, lambda: (
        browser.count(button) > 0, browser.text("#sets")))
    browser.click(button)
    replayed(test, label)
    field = browser.find("#replay input")
    field.clear()
    field.send_keys("dora")
    browser.press("use_as_clip", "#replay")
    report.wait("the set becomes a training clip", 10, lambda: (
        label in (browser.text("#replay p[role=status]") or ""), browser.text("#replay")))
    clips = node.get("clips")["clips"]
    report.check("which is listed", [(one["label"], one["person"]) for one in clips] == [(chosen["label"], "dora")],
                 clips)
    start, end = (datetime.fromisoformat(chosen[name]).timestamp() for name in ("start", "end"))
    report.check("and lasts as long as the set", abs(clips[0]["figures"]["seconds"] - (end - start)) < 1,
                 (clips, chosen))
    close_replay(test)
    browser.size(390, "dark")
    over = browser.js("return document.documentElement.scrollWidth - 390;")
    report.check("nothing sticks out at the side of a phone", over <= 0 and browser.count(button) > 0, over)
    browser.size(1280, "dark")


def never(test):
    """On a node that keeps none, as it is from the start."""
    browser, report, node = test.browser, test.report, test.office
    session = next(one for one in node.history("sessions", {"camera": "floor"}) if one["sets"])
    browser.open(f"{test.recorders[1].origin}/session?id={session['id']}", "session")
    report.wait("without kept joints a session has its sets", 15, lambda: (
        browser.count("#sets tbody tr") == len(session["sets"]), browser.text("main")))
    words = browser.words()
    report.check("but no replay", words["replay"] not in browser.text("#sets") and browser.count("#replay") == 0,
                 browser.text("#sets"))
    status, _, text = node.request("GET", f"/api/v1/sessions/{session['id']}/poses", cookie=test.cookie)
    report.check("and the API says what to set", status == 404 and "history.keep_poses" in text, (status, text))
