"""Corrections: the operator says what a set really was, and takes it back."""
from checks_access import cookie
from checks_history import figure, rows_of
from checks_live import label_name

RIGHT = {"label": "push_up", "reps": 41}
LOAD = 42.5


def floor_session(node):
    """The newest session with several sets."""
    return next(one for one in node.history("sessions", {"camera": "floor"}) if len(one["sets"]) > 1)


def without_revision(rows):
    """Receivers get a corrected session, and the day, with a higher revision, also after the way back."""
    return [{name: value for name, value in row.items() if name != "rev"} for row in rows]


def reps_of(rows):
    return {row["label"]: row.get("reps") or 0 for row in rows}


def cells(browser, number):
    """The cells of a set's row, without the words of its buttons."""
    return browser.js(
        "const row = document.querySelectorAll('#sets tbody tr')[arguments[0] - 1]; const [name, note] = ['.label', "
        "'.advice-line'].map((one) => row.querySelector(one)?.textContent ?? null); "
        "return [name, row.cells[2].textContent, note];", number)


def column(browser, head):
    """The cells of a column of the sets, by its head."""
    return browser.js(
        "const [head, ...rows] = [...document.querySelectorAll('#sets tr')].map((row) => [...row.cells].map((one) => "
        "one.textContent)); return rows.map((row) => row[head.indexOf(arguments[0])]);", head)


def open_session(test, name):
    browser, report = test.browser, test.report
    browser.open(f"{test.recorders[1].origin}/session?id={name}", "session")
    report.wait("the session's page shows its sets", 15, lambda: (
        browser.count("#sets tbody tr") > 1, browser.text("main")))


def fill(browser, label, reps, load=""):
    for name, value in (("label", label), ("reps", reps), ("load", load)):
        field = browser.find(f"#correction [name={name}]")
        field.clear()
        field.send_keys(str(value))
    browser.click("#correction .primary")


def totals(browser):
    return {row[0]: figure(row[2]) for row in rows_of(browser, "#actions")}


def correct(test):
    browser, report, node = test.browser, test.report, test.office
    before = test.before = floor_session(node)
    test.days_before = node.history("days", {"camera": "floor"})
    chosen = before["sets"][0]
    name, number = before["id"], chosen["number"]
    open_session(test, name)
    words = browser.words()
    was = {"what": label_name(words, chosen["label"]) + ", " + words["reps_many"].format(n=chosen["reps"])}
    typed = {"Bankdrücken": "bankdruecken", " Push-Up": "push_up", "Something else": "other", "my-label": "my-label", "!": ""}
    report.same("what is typed becomes a label, and a known one stays as it is", browser.wait_js(
        "return import('/assets/common.js').then(({ labelOf }) => arguments[0].map((value) => "
        "labelOf({ value, list: { options: [{ value: 'my-label' }] } })));", list(typed)), list(typed.values()))
    browser.click(f"#correct-{number}")
    report.same("the dialog says what was recognised", browser.text("#recognised"), words["recognised"].format(**was))
    report.check("there is nothing to undo yet", browser.count("#correction") == 1 and browser.count("#undo") == 0)
    with browser.expecting(r"status of 400"):
        fill(browser, "!!!", RIGHT["reps"])
        report.wait("what is no label is refused with a sentence", 5, lambda: (
            (browser.text("#correct-failed") or "").endswith("."),
            browser.text("#correct-failed")))
    report.same("and changes nothing", floor_session(node), before)
    # As people write it: the page makes a label of it.
    fill(browser, label_name(words, RIGHT["label"]).replace(" ", "-"), RIGHT["reps"], LOAD)
    right = label_name(words, RIGHT["label"])
    report.wait("the set has the right label and count, and says what was recognised", 10, lambda: (
        cells(browser, number) == [right, str(RIGHT["reps"]), words["corrected"].format(**was)]
        and browser.count("#correct") == 0, (cells(browser, number), browser.text("#correct-failed"))))
    report.same("the load has a column", column(browser, words["load_kg"])[0], f"{LOAD}")
    sides = [f"{one['left_reps']} / {one['right_reps']}" if "left_reps" in one else words["none"]
             for one in floor_session(node)["sets"]]
    report.same("the sides have a column", column(browser, words["left_right"]), sides)
    report.same("and a set has sides", any("/" in one for one in sides), True)
    corrected(test, before, chosen)
    browser.open(test.recorders[1].origin + "/history?last=all", "history")
    mark = words["corrected_sets"].format(n=1)
    report.wait("the history's page marks the session, and only that one", 15, lambda: (
        (lambda marked: (marked == [name], marked))(browser.js(
            "return [...document.querySelectorAll('#sessions tbody tr')].filter((row) => "
            "row.cells[5].textContent.includes(arguments[0])).map((row) => "
            "new URL(row.querySelector('a').href).searchParams.get('id'));", mark))))


def corrected(test, before, chosen):
    """What the correction changed: the totals of the page, the command, the API and the day."""
    browser, report, node = test.browser, test.report, test.office
    words = browser.words()
    after = floor_session(node)
    # The hint belonged to the other exercise.
    expected = {**chosen, **RIGHT, "load_kg": LOAD, "score": None, "confidence": None, "reps_margin": None,
                "corrected": {name: chosen[name] for name in RIGHT}}
    found = after["sets"][0]
    report.same("'spotter history sessions --json' says 'corrected'", {
        key: found.get(key) for key in expected}, expected)
    report.check("with a higher revision", after["rev"] > before["rev"], (before["rev"], after["rev"]))
    report.same("and nothing changed in its other sets", after["sets"][1:], before["sets"][1:])
    report.same("GET sessions/{id} says the same", node.get(f"sessions/{before['id']}", test.cookie)["sets"],
                after["sets"])
    expected = reps_of(before["actions"])
    expected[chosen["label"]] -= chosen["reps"]
    expected[RIGHT["label"]] = expected.get(RIGHT["label"], 0) + RIGHT["reps"]
    # A label that is left with nothing is left out.
    found = reps_of(after["actions"])
    report.same("the session's totals follow", {label: found.get(label, 0) for label in sorted(expected)},
                dict(sorted(expected.items())))
    expected = {label_name(words, label): float(n) for label, n in found.items()}
    report.check("and those of its page", totals(browser) == expected, (totals(browser), expected))
    days = node.history("days", {"camera": "floor"})
    changed = [(old["day"], new["reps"].get(RIGHT["label"], 0) - old["reps"].get(RIGHT["label"], 0),
                new["reps"].get(chosen["label"], 0) - old["reps"].get(chosen["label"], 0))
               for old, new in zip(test.days_before, days) if old != new]
    report.check("and those of its day", len(days) == len(test.days_before) and [one[1:] for one in changed]
                 == [(RIGHT["reps"], -chosen["reps"])], changed)


def undo(test):
    browser, report, node = test.browser, test.report, test.office
    before = test.before
    chosen = before["sets"][0]
    open_session(test, before["id"])
    words = browser.words()
    browser.click(f"#correct-{chosen['number']}")
    report.check("a corrected set offers the way back", browser.count("#undo") == 1, browser.text("#correct"))
    browser.click("#undo")
    report.wait("which restores the set", 10, lambda: (
        cells(browser, chosen["number"]) == [label_name(words, chosen["label"]), str(chosen["reps"]), None],
        cells(browser, chosen["number"])))
    report.same("its session", without_revision([floor_session(node)]), without_revision([before]))
    report.same("and the days", *map(without_revision, (node.history("days", {"camera": "floor"}), test.days_before)))
    report.check("the page's totals are the old ones", totals(browser) == {
        label_name(words, label): float(n) for label, n in reps_of(before["actions"]).items()}, totals(browser))


def viewer(test):
    """As the viewer who is signed in at the office."""
    browser, report, node = test.browser, test.report, test.office
    before = floor_session(node)
    open_session(test, before["id"])
    report.check("a viewer has no button to correct a set", browser.count("#sets tr button") == 0,
                 browser.text("#sets"))
    status, _, text = node.request(
        "POST", f"/api/v1/sessions/{before['id']}/sets/{before['sets'][0]['number']}/correct", RIGHT, cookie(browser))
    report.check("nor does the API obey", status == 403 and floor_session(node) == before, (status, text))
