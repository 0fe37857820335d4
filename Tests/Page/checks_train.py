"""Training on the page: the curve, the evaluation, the switch to the new model and back; and what a viewer may not."""
import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import time
from decimal import ROUND_HALF_UP, Decimal

from checks_access import routes
from checks_clips import STAGE, close_replay, open_page, percent, replayed
from checks_history import heads_of, rows_of
from checks_live import label_name, pattern
from report import Missed, until

FIRST = "exercises"
# Of the label that is recorded on the page there is too little for a good verdict.
UNREADY = "own-not-ready"


def named_copy(file, name):
    """The shipped model under another name, as a model that was found ready."""
    data = (pathlib.Path(__file__).resolve().parents[2] / "Models" / (FIRST + ".safetensors")).read_bytes()
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8:8 + length])
    description = json.loads(header["__metadata__"]["spotter"])
    header["__metadata__"]["spotter"] = json.dumps(description | {"name": name})
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    file.write_bytes(len(text).to_bytes(8, "little") + text + data[8 + length:])


def child(node):
    """Process id and priority of the training that the node has started; None without one."""
    lines = subprocess.run(["ps", "--ppid", str(node.process.pid), "-o", "pid=,ni=,args="], capture_output=True,
                           text=True, timeout=20).stdout.splitlines()
    found = [line.split() for line in lines if " train " in line]
    return (int(found[0][0]), int(found[0][1])) if found else None


def begin(browser, name, is_further):
    field = browser.find("#training [name=name]")
    field.clear()
    field.send_keys(name)
    if browser.js("return document.querySelector('#training [name=from]').checked;") is not is_further:
        browser.click("#training [name=from]")
    browser.click("#training .primary")


def is_done(words, name, told):
    """Whether the page tells the end of a training, with the verdict."""
    return re.fullmatch(pattern(words["train_not_ready"].replace("{model}", name + "-not-ready")), told)


def train(test):
    browser, report, node = test.browser, test.report, test.front
    # Where the part before failed, its training may still run.
    node.request("POST", "/api/v1/training/stop", {})
    until(30, lambda: (node.get("training")["state"] not in ("running", "stopping"), None))
    words = open_page(test)
    begin(browser, "own", True)
    told, priorities = [], []

    def ended():
        told.append(browser.text("#train-status") or "")
        priorities.extend([found[1]] if (found := child(node)) else [])
        return is_done(words, "own", told[-1]), told[-1]
    report.wait("a training that is started on the page comes to its end", 420, ended)
    ways = [words[key] for key in ("train_starting", "train_reading", "train_running")]
    report.check("the page tells how far it is", any(
        re.fullmatch(pattern(way), one) for way in ways for one in told), told)
    report.check("it was a process of its own with low priority", priorities and min(priorities) >= 10, priorities)
    status = node.get("training")
    report.check("it learned the clips, and held some out", status["state"] == "done"
                 and status["training_clips"] > 6 and status["validation_clips"] >= 2, status)
    verdict = status["verdict"]
    report.check("the verdict says why the model is not ready, and what to record", not verdict["is_ready"]
                 and verdict["reasons"] and all(
                     one in browser.text("#verdict") for one in verdict["reasons"] + verdict["next"]),
                 (verdict, browser.text("#verdict")))
    curve(test, status)
    evaluation(test, status)
    with browser.expecting(r"status of 409"):
        begin(browser, FIRST, True)
        report.wait("a name that a model has already is refused beside the form", 5, lambda: (
            f"'{FIRST}'" in (browser.text("#train-status.bad") or ""), browser.text("#train-status")))


def thousandths(value):
    """Rounded as the browser does, not to the even digit."""
    return str(Decimal(str(value)).quantize(Decimal("0.001"), ROUND_HALF_UP))


def curve(test, status):
    browser, report = test.browser, test.report
    report.check("the curve is drawn", browser.js("return probe.lit(document.getElementById('curve'));") > 200,
                 browser.text("#course"))
    expected = [[str(one["epoch"]), thousandths(one["loss"]), percent(one["training_accuracy"]),
                 *(percent(one["validation"][name]) for name in ("accuracy", "recall"))] for one in status["curve"]]
    report.check("it has a point for each pass", len(expected) == status["now"]["epochs"] > 3, expected)
    report.same("and its table the API's figures", rows_of(browser, "#curve-table"), expected)
    losses = [one["loss"] for one in status["curve"]]
    report.check("the loss became smaller", losses[-1] < losses[0], losses)


def evaluation(test, status):
    """The tables of the new model beside the one in use, and the clips that it judges worst."""
    browser, report = test.browser, test.report
    words = browser.words()
    judged = "return document.getElementById('judged').value;"
    report.wait("the evaluation of the new model appears", 10, lambda: (
        browser.count("#figures tbody tr") > 2 and browser.js(judged) == status["model"], browser.text("#evaluation")))
    new, start = ({row["label"]: row for row in one["windows"]["classes"]} for one in status["evaluations"])

    def pair(row):
        return [percent(row[name]) if row and row.get(name) is not None else words["none"]
                for name in ("precision", "recall")]
    expected = [[label_name(words, label), str(row["windows"]), *pair(row), *pair(start.get(label))]
                for label, row in new.items() if row["windows"] or row.get("precision") is not None]
    report.same("precision and recall stand beside those of the model in use", rows_of(browser, "#figures"), expected)
    report.check("and both are named", status["model"] in " ".join(heads_of(browser, "#figures"))
                 and FIRST in " ".join(heads_of(browser, "#figures")), heads_of(browser, "#figures"))
    confusion = [[label_name(words, label), *map(str, row)]
                 for label, row in zip(new, status["evaluations"][0]["windows"]["confusion"])]
    report.same("what is taken for what is the API's", rows_of(browser, "#confusion"), confusion)
    worst = rows_of(browser, "#worst")
    report.check("every clip held out is among the worst", len(worst) == status["validation_clips"], worst)
    browser.click("#worst tbody tr:first-child button")
    replayed(test, worst[0][0].split(" · ")[0])
    close_replay(test)


def used(test):
    browser, report, node = test.browser, test.report, test.front
    words, pid = open_page(test), node.process.pid
    known = {one["name"]: one for one in node.get("models")}
    report.check("the models are listed, and the first is in use", set(known) >= {FIRST, UNREADY}
                 and known[FIRST]["in_use"] and not known[UNREADY]["in_use"], known)
    recorded = {one["label"] for one in node.get("clips")["clips"]} - set(known[FIRST]["labels"])
    report.check("the new one knows the label that was recorded on the page", recorded
                 and recorded <= set(known[UNREADY]["labels"]), (recorded, known[UNREADY]["labels"]))
    report.check("one that is not ready has no button, and the API refuses it", not known[UNREADY]["ready"]
                 and browser.count(f"#models button[aria-label*='{UNREADY}']") == 0
                 and node.request("POST", f"/api/v1/models/{UNREADY}/use", {}, cookie=test.cookie)[0] == 409, known)
    named_copy(node.folder / "trained" / "second.safetensors", "second")
    open_page(test)
    for name, button in (("second", "use"), (FIRST, "back_to")):
        with browser.expecting(r"net::ERR_", r"EventSource", r"status of 50"):
            switch(test, name, words[button])
        in_use = [one["name"] for one in node.get("models") if one["in_use"]]
        found = (in_use, node.get("state")["model"]["name"])
        report.same(f"{name}: the API says that it is in use", found, ([name], name))
        report.check(f"{name}: the process is the same", node.process.pid == pid and node.process.poll() is None)
        report.wait(f"{name}: the camera's person is drawn again", 20, lambda: (
            browser.js(f"return probe.lit({STAGE});") > 100, browser.text(".banner")))
    model = node.get("state")["model"]
    report.check("the labels are those of the first model again", not recorded & set(model["labels"]), model)
    report.check("its training is still told", browser.count("#curve") == 1
                 and len(rows_of(browser, "#curve-table")) > 3, browser.text("#course"))


def switch(test, name, words):
    """Presses the button of a model and waits until the page has come back with it."""
    browser, report = test.browser, test.report
    browser.js("window.marker = 'not loaded again';")
    button = browser.find(f"#models button[aria-label='{browser.words()['use_named'].format(name=name)}']")
    report.same(f"{name}: its button says what it does", button.text, words)
    browser.js("arguments[0].scrollIntoView({ block: 'center' });", button)
    button.click()
    restarting = browser.words()["restarting"].format(name=name)
    report.wait(f"{name}: the page says that the node restarts", 5, lambda: (
        browser.text("#use-status") == restarting, browser.text("#use-status")))

    def back():
        # While the page loads again there is nothing to look at.
        with contextlib.suppress(Exception):
            rows = {row[0].split(" (")[0]: row[5] for row in rows_of(browser, "#models")}
            return browser.js("return !window.marker;") and rows.get(name) == browser.words()["in_use"], rows
        return False, "no page"
    report.wait(f"{name}: the page comes back and says that it is in use", 40, back)


def stopped(test):
    """A training that is stopped keeps its best model. Its process is held up, so that it does not end before."""
    browser, report, node = test.browser, test.report, test.front
    words = open_page(test)
    stopping = words["train_stopping"].format(model="short")
    begin(browser, "short", False)
    process = until(20, lambda: (found := child(node), found), 0.02)[1]
    if not process:
        raise Missed("no training process appeared within 20 s")
    try:
        def one_pass():
            os.kill(process[0], signal.SIGCONT)
            time.sleep(0.03)
            os.kill(process[0], signal.SIGSTOP)
            return node.get("training")["curve"], node.get("training")
        status = report.wait("another training has finished a pass", 60, one_pass)
        report.wait("it can be stopped", 5, lambda: (browser.count("#train-stop") == 1, browser.text("#training")))
        browser.click("#train-stop")
        report.wait("the page says that it stops", 5, lambda: (
            browser.text("#train-status") == stopping, browser.text("#train-status")))
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process[0], signal.SIGCONT)
    report.wait("it ends with a model", 20, lambda: (
        is_done(words, "short", browser.text("#train-status") or ""), browser.text("#train-status")))
    after = node.get("training")
    report.check("before its last pass", 0 < len(after["curve"]) < status["curve"][0]["epochs"], after["curve"])
    report.wait("the model is in the list", 5, lambda: (
        any(row[0].startswith("short") for row in rows_of(browser, "#models")), rows_of(browser, "#models")))


def taught(test):
    """Few clips are filmed again, which always continues the model in use."""
    browser, report, node = test.browser, test.report, test.front
    words = open_page(test)
    browser.click("#training [name=teach]")
    report.check("teaching continues the model in use", browser.js(
        "const from = document.querySelector('#training [name=from]'); return from.checked && from.disabled;"))
    field = browser.find("#training [name=name]")
    field.clear()
    field.send_keys("few")
    browser.click("#training .primary")
    way = pattern(words["train_share"].replace("{model}", "few"))
    told = report.wait("the page tells how much of the teaching is done", 180, lambda: (
        re.fullmatch(way, browser.text("#train-status") or ""), browser.text("#train-status")))
    report.check("and so does the API", 0 < node.get("training")["share"] < 1, told)
    report.same("the button says that nothing is kept", browser.text("#train-stop"), words["train_end"])
    browser.click("#train-stop")
    report.wait("it can be stopped, and the page says that there is no model", 60, lambda: (
        node.get("training")["state"] == "failed" and re.fullmatch(
            pattern(words["train_failed"].replace("{model}", "few")), browser.text("#train-status") or ""),
        browser.text("#train-status")))


def viewer(test):
    """As the viewer who is signed in at the office."""
    browser, report, node = test.browser, test.report, test.office
    browser.open(test.recorders[1].origin + "/train", "train")
    report.wait("a viewer is told that only the operator records and trains", 15, lambda: (
        browser.count("#refused") == 1 and browser.text("#refused") == browser.words()["operator_only"],
        browser.text("main")))
    report.check("and sees neither form nor clips", browser.count("form, #needs, #models, canvas") == 0,
                 browser.text("main"))
    own = "; ".join(f"{one['name']}={one['value']}" for one in browser.driver.get_cookies())
    bodies = {"clips/record": {"camera": "floor", "label": "squat", "person": "eve", "seconds": 5, "countdown": 0},
              "training/start": {"name": "eve", "from_model_in_use": True, "teach": False}}
    asked = [(method, path) for method, path in routes(node) if re.match(r"/api/v1/(clips|training|models)", path)]
    statuses = [node.request(method, path, bodies.get(path.removeprefix("/api/v1/"), {}) if method == "POST" else None,
                             own)[0] for method, path in asked]
    wrong = [one for one in zip(asked, statuses) if one[1] != 403]
    report.check(f"nor does one of {len(asked)} addresses record, train or switch for a viewer",
                 len(asked) >= 12 and not wrong, wrong)
    operator = [node.request("GET", f"/api/v1/{name}", cookie=test.cookie)[0]
                for name in ("clips", "training", "models")]
    report.same("which answer the operator", operator, [200, 200, 200])
    made = [name for name in ("clips", "trained") if (node.folder / name).exists()]
    report.check("nothing of it has happened", not made and node.get("state", own)["model"]["name"] == FIRST, made)
