"""Members: load and exertion in two presses, records, the QR code of a file, and a member's own page with a code."""
import json
import re
import subprocess
import urllib.error
import urllib.request

import checks_pages
from history_seed import earlier

NAME, NICKNAME = "Anna", "Falcon"
PLAN = {"id": "legs", "name": "Legs", "description": "", "rounds": 1}
LOAD = 80


def workout(session, sets, number):
    """A workout of Anna with the sets of a session as its steps, as an export has it."""
    identity = session["id"][:-4] + f"{0xab00 + number:04x}"
    plan = {**PLAN, "steps": [{"action": one["label"], "repetitions": max(1, one["reps"]), "rest_seconds": 0} for one in sets]}
    row = {"table": "workouts", "id": identity, "camera": session["camera"], "name": NAME, "plan": json.dumps(plan),
           "start": session["start"], "end": session["end"], "end_reason": "completed", "step": len(sets) - 1,
           "phase": "active", "rev": 1, "nickname": NICKNAME}
    steps = [{"table": "workout_steps", "workout": identity, "number": n, "action": one["label"], "start": one["start"],
              "end": one["end"], "reps": one["reps"], "seconds": 9.5, "rest_before_s": None, "score": None, "skipped": 0,
              "measured": "[]", "cues": "[]", "pain": None} for n, one in enumerate(sets)]
    return row, steps


def renamed(row):
    """With ids of its own, for rows that were moved by a day to now."""
    return {name: value[:-2] + "fe" if isinstance(value, str) and value.endswith("-1") and len(value) == 36 else value
            for name, value in row.items()}


def seed(test):
    """A node with a workout of Anna today, and one yesterday."""
    lines = (test.folder / "history.jsonl").read_text().splitlines()
    about, rows = json.loads(lines[0]), [json.loads(line) for line in lines[1:]]
    about.pop("rows", None)
    rows = [row for row in rows if row["table"] in ("about", "sessions", "session_actions", "session_excluded", "sets")]
    yesterday = {row["id"] for row in rows if row["table"] == "sessions" and row["id"].endswith("01")}
    rows = [row for row in rows if row.get("session", row.get("id")) in yesterday]
    today = [renamed(earlier(row, -1)) for row in rows]
    tables = {name: [row for row in today + rows if row["table"] == name]
              for name in ("sessions", "session_actions", "session_excluded", "sets", "workouts", "workout_steps")}
    for session in tables["sessions"]:
        # Nobody knows yet what these sets weighed, so nothing is taken over.
        sets = sorted((row for row in tables["sets"] if row["session"] == session["id"]), key=lambda row: row["number"])[:8]
        if session["camera"] == "floor" and sets and len(tables["workouts"]) < 2:
            row, steps = workout(session, sets, len(tables["workouts"]))
            tables["workouts"].append(row)
            tables["workout_steps"] += steps
    file = test.folder / "club.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in [about, *(one for rows in tables.values() for one in rows)]))
    test.club.command("import", str(file))
    test.club.start("--realtime")


def newest(test):
    return json.loads(test.club.command("history", "workouts", "--json"))[0]


def stored(test, row, n):
    """Load and exertion of the set of a step, as the command line lists them."""
    step = row["steps"][n]
    sets = json.loads(test.club.command("history", "sets", "--json"))
    found = [one for one in sets if one["start"] == step["start"]]
    return (found[0].get("load_kg"), found[0].get("rpe")) if found else None


def pressed(browser, label):
    """Presses a button of the dialog for load and exertion."""
    browser.js("[...document.querySelectorAll('#effort button')].find((one) => one.textContent === arguments[0]).click();",
               label)


def effort(test):
    """On the page Workouts: one press opens, one saves."""
    browser, report = test.browser, test.report
    browser.open(test.recorders[3].origin + "/workouts", "workouts")
    report.wait("the workouts are listed", 15, lambda: (browser.count("#past tbody button") >= 2, browser.text("#past")))
    report.check("all columns of the list are seen", browser.js(
        "const box = document.getElementById('past'); return box.scrollWidth <= box.clientWidth;"))
    row = newest(test)
    browser.click("#past tbody button")
    report.wait("the workout opens with its steps", 10, lambda: (
        browser.count("#detail-steps tbody tr") == len(row["steps"]), browser.text("#detail")))
    browser.click("#step-effort-0")
    report.check("no load is offered before there was one", browser.js("return document.querySelector('#effort input').value;") == "")
    browser.find("#effort input").send_keys(str(LOAD))
    pressed(browser, "8")
    report.wait("load and exertion are stored with one press after the load", 10, lambda: (
        stored(test, row, 0) == (LOAD, 8), stored(test, row, 0)))
    report.wait("and stand in the table", 10, lambda: (
        f"{LOAD} kg, RPE 8" in (browser.text("#detail-steps") or ""), browser.text("#detail-steps")))
    session = json.loads(test.club.command("history", "sessions", "--json"))
    session = next(one for one in session if any(s["start"] == row["steps"][0]["start"] for s in one.get("sets", [])))
    same = [s for s in session["sets"] if s["label"] == session["sets"][0]["label"]]
    browser.open(f"{test.recorders[3].origin}/session?id={session['id']}", "session")
    number = same[1]["number"] if len(same) > 1 else same[0]["number"]
    browser.click(f"#effort-{number}")
    report.same("on the page of the session the last load is offered", browser.js(
        "return document.querySelector('#effort input').value;"), str(LOAD))
    checks_pages.take(test, test.recorders[3].origin, "effort", f"/session?id={session['id']}",
                      f"document.querySelector('#effort') ?? document.querySelector('#effort-{number}')?.click()")
    pressed(browser, "9.5")
    report.wait("two presses store both", 10, lambda: (
        (lambda one: (one.get("load_kg") == LOAD and one.get("rpe") == 9.5, one))(next(
            s for s in json.loads(test.club.command("history", "sets", "--json"))
            if s["session"] == session["id"] and s["number"] == number))))
    test.club.command("session", "correct", session["id"], str(number), "--load", "82.5", "--rpe", "9")
    again = test.club.get(f"sessions/{session['id']}")["sets"][number - 1]
    report.same("the command asks the node that runs", (again.get("load_kg"), again.get("rpe")), (82.5, 9))


def records(test):
    browser, report = test.browser, test.report
    browser.open(test.recorders[3].origin + "/workouts", "workouts")
    browser.click("#past tbody button")
    report.wait("records are offered", 10, lambda: (browser.count("#records") == 1, browser.text("#detail")))
    browser.click("#records")
    found = json.loads(test.club.command("history", "records", NAME.lower(), "--json"))
    report.wait("the records of the person are shown", 10, lambda: (
        browser.count("#detail-more tbody tr") == len(found["exercises"]), browser.text("#detail-more")))
    best = next(one for one in found["exercises"] if one.get("heaviest"))
    report.check("with the heaviest load and an estimate with its uncertainty", best["heaviest"]["value"] == 82.5
                 and best["e1rm"]["uncertainty"] > 0 and "82.5 kg" in browser.text("#detail-more"), (best, browser.text("#detail-more")))
    report.same("two days in a row, whatever the week", found["streak"]["days"], 2)
    table = test.club.command("history", "records", NAME)
    report.check("the command's table has them", "82.5 kg" in table and "±" in table, table)


def link(test):
    """The drawn code is read as a telephone would, and its address gives the file once."""
    browser, report = test.browser, test.report
    browser.click("#file")
    report.wait("a QR code is drawn", 10, lambda: (browser.count("#detail-more .qr") == 1, browser.text("#detail-more")))
    browser.settle()
    browser.picture(test.pictures / "file-1280-dark.png")
    file = test.pictures / "code.png"
    browser.find("#detail-more .qr").screenshot(str(file))
    read = subprocess.run(["zbarimg", "--quiet", "--raw", str(file)], capture_output=True, text=True, timeout=30).stdout.strip()
    address = browser.text("#detail-more .link")
    report.same("zbar reads the address in it", read, address)
    report.check("with a token of 32 digits", re.search(r"/file/[0-9a-f]{32}$", read), read)

    def fetch():
        try:
            with urllib.request.urlopen(read, timeout=20) as answer:
                return answer.status, answer.headers["Content-Disposition"], answer.read()
        except urllib.error.HTTPError as error:
            return error.code, None, error.read()
    status, name, data = fetch()
    report.check("it gives the FIT file of the workout", status == 200 and data[8:12] == b".FIT" and name.endswith('.fit"'),
                 (status, name, data[:200]))
    kept = test.folder / "sent.fit"
    test.club.command("workout", "send", newest(test)["id"], "--to", "fit", "--output", str(kept))
    report.check("the same that 'spotter workout send' writes", kept.read_bytes() == data, len(data))
    status, _, words = fetch()
    report.check("once", status == 404 and b"link_used" in words, (status, words))


def member(test):
    browser, report = test.browser, test.report
    browser.click("#code")
    report.wait("a code is made", 10, lambda: (browser.count("#detail-more .code") == 1, browser.text("#detail-more")))
    words = browser.text("#detail-more .code")
    code = re.search(r"\b\d{6}\b", words)
    report.check("of six digits, for the name", code and NAME in words, words)
    test.secrets["a member's code"] = code[0] if code else ""
    browser.forget()
    browser.size(390, "dark")
    with browser.expecting(r"status of 401"):
        browser.open(test.recorders[3].origin + "/member", "member")
        report.wait("a member is asked for nickname and code", 10, lambda: (browser.count("#form") == 1, browser.text("main")))
        browser.find("#nickname").send_keys(NAME.lower())
        browser.find("#code").send_keys("12 34")
        browser.click("#form .primary")
        report.same("what cannot be a code costs no attempt", browser.text("#failed"), browser.words()["code_digits"])
        browser.find("#code").clear()
        browser.find("#code").send_keys("000000")
        browser.click("#form .primary")
        report.wait("a wrong code is refused", 10, lambda: (
            (browser.text("#failed") or "").startswith("No member"), browser.text("main")))
    browser.find("#code").clear()
    browser.find("#code").send_keys(code[0])
    browser.click("#form .primary")
    report.wait("the right one shows the member's workouts", 15, lambda: (
        browser.count("#workouts article") == 2 and browser.count("#form") == 0, browser.text("main")))
    report.check("and records", "82.5 kg" in (browser.text("#record-box") or ""), browser.text("#record-box"))
    row = newest(test)
    report.same("load and exertion may be entered for sets of today alone", browser.js(
        "return [...document.querySelectorAll('#workouts article')].map((one) => one.querySelectorAll('button').length);"),
        [len(row["steps"]), 0])
    last = len(row["steps"]) - 1
    browser.js("[...document.querySelectorAll('#workouts article')][0].querySelectorAll('button')[arguments[0]].click();", last)
    pressed(browser, "7")
    report.wait("they are stored", 10, lambda: ((stored(test, row, last) or (0, 0))[1] == 7, stored(test, row, last)))
    checks_pages.take(test, test.recorders[3].origin, "member", "/member", "document.querySelector('#workouts article')",
                      is_whole=True)
    cookie = next(one["value"] for one in browser.driver.get_cookies() if one["name"] == "spotter_member")
    status, _, text = test.club.request("GET", "/api/v1/member", cookie=f"spotter_member={cookie}")
    report.check("the API says the same", status == 200 and len(json.loads(text)["workouts"]) == 2, (status, text[:200]))
    listed = json.loads(test.club.command("person", "show", NAME, "--json"))
    report.same("'spotter person show' knows of the code", listed["codes"], 1)
    test.club.command("person", "forget", NAME, "--yes", status=None)
    status, _, _ = test.club.request("GET", "/api/v1/member", cookie=f"spotter_member={cookie}")
    report.same("a deleted name ends the log-in", status, 401)
    report.same("and takes the code with it", test.club.query("SELECT count(*) FROM member_code"), "0")
    browser.forget()
    browser.size(1280, "dark")


def stop(test):
    test.report.same("that node stops", test.club.stop(), 0)
