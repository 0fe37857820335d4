"""A whole workout on the page: started, counted, rested, ended, compared; names, skipping and stopping."""
import json

import checks_pages

PLAN = """name = "Page test"
[[step]]
action = "squat"
repetitions = 3
rest_seconds = 2
[[step]]
action = "lunge"
repetitions = 2
"""
# Nobody bends the knees so far, so that a cue must come.
PRESCRIPTION = """name = "Prescribed"
[prescription]
days_a_week = 3
pain_limit = 5
[[step]]
action = "squat"
repetitions = 3
range_least = 170
"""
# Nor does this standard, so that every squat that is judged is a no-rep.
STRICT = """name = "Strict"
challenge_seconds = 90
[[step]]
action = "squat"
range_least = 170
standard = "strict"
stop_at_slower = 60
"""
BAD_PLAN = "[[step]]\naction = \"squad\"\nrepetitions = 2\n"


def write_plans(folder):
    folder.mkdir()
    (folder / "page-test.toml").write_text(PLAN)
    (folder / "prescribed.toml").write_text(PRESCRIPTION)
    (folder / "strict.toml").write_text(STRICT)
    (folder / "bad.toml").write_text(BAD_PLAN)


def rows(test):
    return json.loads(test.gym.command("history", "workouts", "--json"))


def card(browser):
    """What the card of the workout that goes on says; None without one."""
    return browser.js("""
        const card = document.querySelector('#running .workout');
        const text = (name) => card.querySelector(name).textContent;
        return card && { phase: [...card.classList].at(-1), title: text('h2'), step: text('.step-of'),
          exercise: text('.exercise'), done: text('.done'), says: text('.says') };""")


def whole(test):
    browser, report = test.browser, test.report
    browser.open(test.recorders[2].origin + "/workouts", "workouts")
    report.wait("the plans are there to choose", 10, lambda: (
        browser.js("return [...document.querySelectorAll('#start [name=plan] option')].map((one) => one.textContent);")
        == ["Page test", "Prescribed", "Strict"], browser.text("main")))
    report.check("a plan with an error is named with its line", "bad.toml:2:1" in (browser.text("#plan-errors") or ""),
                 browser.text("#plan-errors"))
    browser.find("#start [name=name]").send_keys("anna")
    browser.press("start_go", "#start")
    report.wait("the workout waits for its exercise", 10, lambda: (
        (card(browser) or {}).get("phase") == "waiting" and "anna" in card(browser)["title"], card(browser)))
    seen = []

    def goes_on():
        now = card(browser)
        if now and now not in seen:
            seen.append(now)
        return now is None, seen[-4:]
    report.wait("it ends by itself", 120, goes_on)
    report.check("the page counted", any(one["phase"] == "active" and one["done"].startswith(("1 ", "2 ")) for one in seen), seen)
    report.check("the page showed the rest", any(one["phase"] == "resting" for one in seen), seen)
    report.check("the page went on with the second step", any(
        one["step"].startswith("Step 2 of 2") and one["exercise"] == "Lunge" for one in seen), seen)
    report.wait("the past workouts show it", 10, lambda: (
        "anna" in (browser.text("#past") or "") and browser.words()["ended_completed"] in browser.text("#past"),
        browser.text("#past")))
    stored = rows(test)[0]
    report.same("the command line tells the same", [stored["name"], stored["end_reason"], stored["completed_steps"]],
                ["anna", "completed", 2])
    report.check("with the planned repetitions", all(
        step["reps"] >= 2 and step["complete"] for step in stored["steps"]), stored)


def details(test):
    browser, report = test.browser, test.report
    browser.js("document.querySelector('#past button').click();")
    report.wait("a workout opens with its steps", 10, lambda: (
        browser.js("return document.querySelectorAll('#detail-steps tbody tr').length;") == 2,
        browser.text("#detail")))
    browser.js("document.querySelector('#forget').click();")
    report.wait("its name is deleted", 15, lambda: (
        "anna" not in (browser.text("#past") or "anna"), browser.text("#past")))
    report.check("everywhere", not any(row.get("name") for row in rows(test)), rows(test))
    report.wait("and the page says where it may still be", 5, lambda: (
        browser.count("#start-status li") >= 3, browser.text("#start-status")))


def choose(browser, plan, name):
    browser.js("""
        const form = document.querySelector('#start');
        form.plan.value = arguments[0];
        form.plan.dispatchEvent(new Event('change', { bubbles: true }));
        form.elements.name.value = arguments[1];""", plan, name)


def prescribed(test):
    """A cue is shown, and the pain is asked for and stored."""
    browser, report = test.browser, test.report
    choose(browser, "prescribed", "eve")
    browser.press("start_go", "#start")
    cue = "return document.querySelector('#running .workout .cue')?.textContent ?? '';"
    report.wait("a cue says what was measured and what to do", 120, lambda: (
        "go down to 170°" in browser.js(cue), browser.js(cue)))
    question = "return document.querySelector('#running .workout .pain:not([hidden]) legend')?.textContent ?? '';"
    report.wait("the pain is asked for", 60, lambda: (
        browser.js(question) == browser.words()["pain_question"], browser.js(question)))
    browser.js("document.querySelectorAll('#running .workout .pain button')[3].click();")
    report.wait("the answer ends the workout", 15, lambda: (card(browser) is None, card(browser)))
    report.wait("it is stored with the cue and the pain", 10, lambda: (
        rows(test)[0].get("end_reason") == "completed" and rows(test)[0]["steps"][0].get("pain") == 3
        and rows(test)[0]["steps"][0].get("cues"), rows(test)[0]))
    report.check("with a range and its error", rows(test)[0]["steps"][0]["measured"]["range"]["uncertainty"] > 0, rows(test)[0])
    text = test.gym.command("report", "--name", "eve", "--weeks", "1")
    report.check("the report shows the pain", "Prescribed" in text and " 3" in text, text)


def stopped(test):
    browser, report = test.browser, test.report
    choose(browser, "page-test", "")
    browser.press("start_go", "#start")
    report.wait("another one starts", 10, lambda: (bool(card(browser)), card(browser)))
    checks_pages.take(test, test.recorders[2].origin, "workouts", "/workouts",
                      "document.querySelector('#running .workout')", is_whole=True)
    browser.press("skip_step", "#running")
    report.wait("a step is skipped", 10, lambda: (
        (card(browser) or {"step": ""})["step"].startswith("Step 2 of 2"), card(browser)))
    browser.press("stop_workout", "#running")
    report.wait("it is stopped", 10, lambda: (card(browser) is None, card(browser)))
    report.wait("and stored so", 10, lambda: (
        rows(test)[0].get("end_reason") == "stopped" and rows(test)[0]["steps"][0]["skipped"], rows(test)[0]))


def strict(test):
    """Repetitions that miss the standard are told apart, and the speed of each is a bar, on the page and on the wall."""
    browser, report = test.browser, test.report
    origin = test.recorders[2].origin
    browser.open(origin + "/workouts", "workouts")
    report.wait("the plan is there", 10, lambda: (
        browser.js("return document.querySelectorAll('#start [name=plan] option').length;") == 3, browser.text("main")))
    choose(browser, "strict", "")
    browser.press("start_go", "#start")

    def shown(selector):
        return browser.js("return document.querySelector(arguments[0])?.textContent ?? '';", selector)

    def told(place, count, sentence):
        words = [shown(place), shown(count), shown(sentence)]
        return "no-rep" in words[0] and words[2].startswith("No rep: knee bend "), words
    card_of = "#running .workout "
    report.wait("the page says that a repetition does not count, and why", 150, lambda: told(
        card_of + ".step-of", card_of + ".done", card_of + ".cue"))
    report.check("with what is needed, and by how much the measurement may err", "needs 170 ± " in shown(card_of + ".cue"),
                 shown(card_of + ".cue"))
    report.check("it is not counted", shown(card_of + ".done").startswith("0"), shown(card_of + ".done"))
    browser.open(origin + "/tv", "tv")
    report.wait("the wall says the same", 60, lambda: told(".tile-timer", ".tile-count", ".tile-more"))
    report.wait("and shows a bar for the speed of each repetition", 60, lambda: (
        browser.count(".tile .bars i") >= 2 and "±" in shown(".tile .speed-words"), shown(".tile .speeds")))
    checks_pages.take(test, origin, "tv-strict", "/tv", "document.querySelector('.tile .bars i')")
    browser.open(origin + "/workouts", "workouts")
    report.wait("the page has the bars, too", 30, lambda: (
        browser.count(card_of + ".bars i") >= 2, browser.text("#running")))
    browser.picture(test.pictures / "workouts-strict.png", True)
    browser.press("stop_workout", "#running")
    report.wait("it is stopped", 10, lambda: (card(browser) is None, card(browser)))

    def stored():
        step = rows(test)[0]["steps"][0]
        misses = step.get("measured", {}).get("no_reps", 0)
        return rows(test)[0].get("end_reason") == "stopped" and misses >= 2 and step["reps"] == step["measured"]["unjudged_reps"], step
    report.wait("the history has both", 15, stored)


def file(test):
    """The file of past workouts against the command's --csv."""
    browser, report, node = test.browser, test.report, test.gym
    browser.open(test.recorders[2].origin + "/workouts", "workouts")
    path = browser.js("return document.querySelector('a[href*=\"format=csv\"]').getAttribute('href');")
    status, headers, text = node.request("GET", path)
    report.check("the page offers past workouts as a file", status == 200 and headers.get_content_type() == "text/csv",
                 (status, dict(headers)))
    report.same("it is that of the command", text, node.command("history", "workouts", "--csv", "--limit", "50000"))
    report.check("and has workouts", text.count("\n") > 3, text)


def viewer(test):
    browser, report = test.browser, test.report
    browser.open(test.recorders[2].origin + "/workouts", "workouts")
    report.wait("a viewer sees past workouts", 10, lambda: (
        browser.count("#past tbody tr") >= 2, browser.text("main")))
    report.check("but cannot start one", browser.text("#start-box") is None, browser.text("#start-box"))
    cells = browser.js("return [...document.querySelectorAll('#past td')].map((cell) => cell.textContent);")
    report.check("and sees nobody's name, and no plan that was prescribed",
                 "eve" not in cells and "Private workout" in cells and not any("Prescribed" in one for one in cells), cells)
