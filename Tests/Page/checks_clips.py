"""The page for recording: a clip is recorded, listed, replayed, relabelled and deleted."""
import json
import re

from selenium.webdriver.support.ui import Select

from checks_history import rows_of
from checks_live import label_name, pattern
from node import LiveReader
from report import until

STAGE = "document.getElementById('stage')"
# The picture of the dialog that plays clips.
REPLAY_STAGE = "document.querySelector('#replay canvas')"
REPLAY = f"return {REPLAY_STAGE}.toDataURL();"
PAUSE = "#replay .controls button[type=button]"


def order(browser, **fields):
    """Fills the form in and presses its button."""
    for name, value in fields.items():
        field = browser.find(f"#record [name={name}]")
        field.clear()
        field.send_keys(str(value))
    browser.click("#record .primary")


def sample(browser, camera):
    return browser.wait_js(f"return probe.sample({STAGE}, arguments[0]);", camera)


def percent(share):
    return f"{int(100 * share + 0.5)} %"


def outcome_words(words, last):
    """What the page must say about the recording that the API describes."""
    figures, label = last["figures"], label_name(words, last["clip"].split(".")[0])
    kept = words["record_kept"].format(n=f"{figures['seconds']:.1f}", label=label)
    if last["still"]:
        kept += words["record_still"].format(n=f"{last['still']:.1f}")
    share, joints = percent(figures["cut_off"]), ", ".join(figures["missing"]).replace("_", " ")
    cut = words["record_whole"] if figures["cut_off"] <= 0.02 else words["record_cut_some"].format(n=share)
    if joints:
        cut = words["record_cut"].format(n=share, joints=joints)
    return [kept, words["record_seen"].format(n=percent(figures["seen"])), cut]


def findings(browser):
    return browser.js("return [...document.querySelectorAll('#outcome li')].map((one) => one.textContent);")


def finished(test, name):
    """Waits for the end of a recording; the page must say how it ended. Returns what the API tells."""
    browser, report, node = test.browser, test.report, test.front
    words = browser.words()
    report.wait(f"{name}: the page says how the recording ended", 20, lambda: (
        len(findings(browser)) == 3, (findings(browser), browser.text("#record-status"))))
    last = node.get("clips/record")["last"]
    report.same(f"{name}: as the API tells it", findings(browser), outcome_words(words, last))
    return last


def open_page(test):
    """Loads the page again, so that what another part has left open is gone. Returns its words."""
    browser, report = test.browser, test.report
    browser.open(test.recorders[0].origin + "/train?camera=floor", "train")
    # Each table comes with an answer of its own.
    tables = ("#needs tbody tr", "#models tbody tr")
    report.wait("the page draws the person in front of the camera, and has its tables", 20, lambda: (
        browser.js(f"return probe.lit({STAGE});") > 100 and all(browser.count(rows) > 0 for rows in tables),
        browser.text("main")))
    return browser.words()


def record(test):
    browser, report = test.browser, test.report
    words = open_page(test)
    # The clips pause for two seconds at most, and a recording wants a second of motion.
    order(browser, label="dead_bug", person="carla", seconds=4, countdown=3)
    numbers = []

    def counts_down():
        told, large = browser.text("#record-status") or "", browser.text("#count") or ""
        ready = re.fullmatch(pattern(words["record_ready"]), told)
        if ready and large.isdigit() and f" {large} " in told and large not in numbers:
            numbers.append(large)
        return numbers == ["3", "2", "1"], (numbers, told)
    report.wait("it counts down from three", 8, counts_down)
    report.check("large enough to read from the mat", browser.js(
        "return parseFloat(getComputedStyle(document.getElementById('count')).fontSize);") >= 120)

    def recording():
        told = re.fullmatch(pattern(words["record_now"]), browser.text("#record-status") or "")
        return told and browser.count(".stage.recording") == 1, browser.text("#record-status")
    report.wait("then it records, and says so", 8, recording)
    seen = until(2, lambda: (lambda one: (one and one["joints"] > 5 and not one["missing"] and not one["stray"], one))(
        sample(browser, "floor")))
    report.check("the live skeleton is seen meanwhile, where the event says", seen[0] and recording()[0], seen[1])
    last = finished(test, "a camera's clip")
    figures = last["figures"]
    report.check("the clip has the length that was ordered, and shows the person", 1 <= figures["seconds"] <= 4.2
                 and abs(figures["seconds"] + last["still"] - 4) < 0.3 and figures["seen"] > 0.8, last)
    second_camera(test)
    order(browser, label="dead_bug", person="carla", seconds=3, countdown=30)
    report.wait("a countdown can be stopped", 5, lambda: (browser.count("#record-stop") == 1, browser.text("#record")))
    browser.click("#record-stop")
    report.wait("and then there is no clip", 5, lambda: (
        len(findings(browser)) == 1 and findings(browser)[0].startswith(words["record_failed"]), findings(browser)))


def second_camera(test):
    """The exact poses of a stream: each frame of the clip must be one of those that every program saw."""
    browser, report, node = test.browser, test.report, test.front
    Select(browser.find("#camera")).select_by_value("pair")
    reader = LiveReader(node, 30)
    reader.start()
    report.wait("another camera can be chosen", 10, lambda: (
        (lambda one: (one and one["people"] == 2 and not one["missing"], one))(sample(browser, "pair"))))
    order(browser, label="row", person="carla", seconds=4, countdown=1)
    last = finished(test, "another camera's clip")
    reader.finish()
    report.check("the joint that the network is not sure of is named as cut off",
                 last["figures"]["missing"] == ["left_wrist"], last)
    frames = node.get(f"clips/{last['clip']}/poses")["frames"]
    live = [person["joints"] for (camera, _), pose in reader.poses.items() if camera == "pair"
            for person in pose["people"]]
    # The clip's frames lie between two of the stream's, less than 2 ms from one of them.
    far = [n for n, frame in enumerate(frames)
           if not any(max(abs(a - b) for a, b in zip(frame or [], joints)) <= 5 for joints in live)]
    report.check(f"all {len(frames)} poses of the clip are poses that the stream of events told",
                 len(frames) > 60 and not far, far)


# MARK: - What was recorded

def row_button(browser, label, person, words):
    """Presses a button in the row of a clip."""
    button = browser.js(
        "return [...document.querySelectorAll('#clips tbody tr')].filter((row) => row.cells[0].textContent === "
        "arguments[0] && row.cells[1].textContent === arguments[1]).flatMap((row) => "
        "[...row.querySelectorAll('button')]).find((one) => one.textContent === arguments[2]);", label, person, words)
    browser.js("arguments[0].scrollIntoView({ block: 'center' });", button)
    button.click()


def listed(test):
    browser, report, node = test.browser, test.report, test.front
    words = browser.words()
    if not browser.js("return document.getElementById('clips').parentElement.open;"):
        browser.click("#clips-title")

    def same():
        expected = [[label_name(words, one["label"]), one["person"], f"{one['figures']['seconds']:.1f}",
                     percent(one["figures"]["seen"]), percent(one["figures"]["cut_off"])]
                    for one in node.get("clips")["clips"]]
        found = [[*row[:2], *row[3:6]] for row in rows_of(browser, "#clips")]
        return len(expected) > 5 and found == expected, (found, expected)
    report.wait("the page lists the clips of the API", 10, same)

    def wants():
        needs = node.get("clips")["needs"]
        expected = [[label_name(words, one["label"]), one["clips"], one["persons"],
                     *(n for n in (one["wants_clips"], one["wants_persons"]) if n)] for one in needs]
        found = [[row[0], *(int(n) for cell in row[1:] for n in re.findall(r"\d+", cell))]
                 for row in rows_of(browser, "#needs")]
        return found == expected and browser.count("#needs tbody tr") > 3, (found, expected)
    report.wait("and what each label still wants", 5, wants)


def clips(test):
    browser, report, node = test.browser, test.report, test.front
    words = open_page(test)
    listed(test)
    files = {path: list((node.folder / "clips" / path).glob("*.poses.jsonl"))
             for path in ("dead_bug/carla", "row/carla")}
    report.check("each recorded clip is one file", all(len(found) == 1 for found in files.values()), files)
    header, *frames = files["dead_bug/carla"][0].read_text().splitlines()
    header = json.loads(header)
    report.check("a pose stream that the commands read", header["format"] == "spotter.poses"
                 and header["rate_hz"] == 30 and len(frames) > 30, (header, len(frames)))
    modes = [oct(folder.stat().st_mode) for folder in (files["dead_bug/carla"][0].parent, files["row/carla"][0].parent)]
    report.check("which nobody else may read", all(mode.endswith("700") for mode in modes), modes)
    row_button(browser, "Dead bug", "carla", words["replay"])
    replayed(test, "Dead bug")
    paused(test)
    close_replay(test)
    change(test)


def replayed(test, name):
    """The dialog that plays a clip draws somebody who moves."""
    browser, report = test.browser, test.report
    report.wait("the clip is replayed", 10, lambda: (
        name in (browser.text("#replay-title") or "")
        and browser.js(f"return probe.lit({REPLAY_STAGE});") > 100, browser.text("#replay")))
    pictures = set()

    def moving():
        pictures.add(browser.js(REPLAY))
        return len(pictures) >= 5, f"{len(pictures)} different pictures"
    report.wait("it moves", 5, moving)


def paused(test):
    browser, report = test.browser, test.report
    words = browser.words()
    if browser.text(PAUSE) == words["replay_again"]:
        browser.click(PAUSE)
    browser.click(PAUSE)
    report.wait("until it is paused", 5, lambda: (
        browser.text(PAUSE) == words["replay_play"], browser.text(PAUSE)))
    before = browser.js(REPLAY)
    seen = until(0.5, lambda: (browser.js(REPLAY) != before, "the picture changed"))
    report.check("which holds the picture", not seen[0], seen[1])
    browser.click(PAUSE)
    report.wait("it goes on to its end", 20, lambda: (
        browser.text(PAUSE) == words["replay_again"], browser.text(PAUSE)))


def close_replay(test):
    browser, report = test.browser, test.report
    browser.click("#replay form button:last-child")
    report.wait("the dialog is closed", 5, lambda: (browser.count("#replay") == 0, browser.text("#replay")))


def change(test):
    browser, report, node = test.browser, test.report, test.front
    words = browser.words()
    folder = node.folder / "clips"

    def has(label, number):
        rows = [row for row in rows_of(browser, "#clips") if row[0] == label and row[1] == "carla"]
        return len(rows) == number, rows
    row_button(browser, "Dead bug", "carla", words["relabel"])
    report.wait("a new label is asked for", 5, lambda: (browser.count("#change-label input") == 1, "no dialog"))
    field = browser.find("#change-label input")
    for label in ("!!!", "swing"):
        field.clear()
        field.send_keys(label)
        with browser.expecting(r"status of 400"):
            browser.click("#change-go")
            if label != "swing":
                report.wait("what is no label is refused with a sentence", 5, lambda: (
                    (browser.text("#change-failed") or "").endswith("."), browser.text("#change-failed")))
    report.wait("the clip has its new label", 10, lambda: has("Swing", 1))
    report.check("and not the old one", has("Dead bug", 0)[0] and not (folder / "dead_bug").exists()
                 and len(list((folder / "swing" / "carla").glob("*.jsonl"))) == 1, rows_of(browser, "#clips"))
    clip = next(one["id"] for one in node.get("clips")["clips"] if one["label"] == "row")
    row_button(browser, "Row", "carla", words["delete"])
    report.wait("a second question comes before a deletion", 5, lambda: (
        browser.text("#change-title") == words["delete_title"], browser.text("#change")))
    browser.click("#change button[value=no]")
    report.check("'keep' keeps the clip", browser.count("#change") == 0 and has("Row", 1)[0]
                 and (folder / "row").exists(), browser.text("#change"))
    row_button(browser, "Row", "carla", words["delete"])
    browser.click("#change-go")
    report.wait("the clip is gone from the list", 10, lambda: has("Row", 0))
    status, _, text = node.request("GET", f"/api/v1/clips/{clip}/poses")
    report.check("from the API, and from the disk", status == 404 and not (folder / "row").exists(), (status, text))
    listed(test)
