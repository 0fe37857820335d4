"""The history: the API's answers and the page's tables are what the commands print; a session is deleted."""
import json
import re
from collections import defaultdict
from datetime import date, timedelta

from selenium.webdriver.support.ui import Select

from checks_live import label_name
from report import until

TABLES = ["actions", "days", "sessions", "sets", "predictions"]


def filters():
    today = date.today()
    return [
        {}, {"last": "7d"}, {"camera": "pair"}, {"action": "squat"}, {"limit": 3},
        {"since": str(today - timedelta(days=21)), "until": str(today - timedelta(days=2)), "tz": "America/New_York"},
        {"last": "4w", "camera": "floor", "action": "burpee", "limit": 2}, {"last": "1h"},
    ]


def interface(test):
    report, node = test.report, test.office
    for table in TABLES:
        different = []
        rows = 0
        for chosen in filters():
            query = "&".join(f"{name}={value}" for name, value in chosen.items())
            expected = node.history(table, chosen)
            found = node.get(f"history/{table}?{query}", test.cookie)
            rows += len(expected)
            if found != expected:
                different.append((chosen, f"{len(found)} rows, expected {len(expected)}"))
        report.check(f"GET history/{table} gives the {rows} rows of 'spotter history {table} --json'",
                     rows > 0 and not different, different)
    for table in ("hours", "weekdays"):
        different = [chosen for chosen in ({}, {"last": "7d"}, {"camera": "pair"}, {"tz": "Asia/Kolkata"})
                     if node.get(f"history/{table}?" + "&".join(f"{name}={value}" for name, value in chosen.items()),
                                 test.cookie) != node.history(table, chosen)]
        report.check(f"GET history/{table} is 'spotter history {table} --json'", not different, different)
    status, _, text = node.request("GET", "/api/v1/history/days?last=soon", cookie=test.cookie)
    report.check("a filter that means nothing is refused with a sentence", status == 400
                 and json.loads(text)["error"]["message"].endswith("."), (status, text))


def rows_of(browser, selector):
    """The cells of a table's body."""
    return browser.js("return [...document.querySelectorAll(arguments[0] + ' tbody tr')].map((row) => "
                      "[...row.cells].map((cell) => cell.textContent.trim()));", selector)


def heads_of(browser, selector):
    return browser.js("return [...document.querySelectorAll(arguments[0] + ' thead th')]"
                      ".map((cell) => cell.textContent.trim());", selector)


def choose(browser, last, camera, action):
    browser.js("[...document.querySelectorAll('#filters input[name=last]')]"
               ".find((radio) => radio.value === arguments[0]).click();", last or "all")
    Select(browser.find("#filters select[name=camera]")).select_by_value(camera)
    Select(browser.find("#filters select[name=action]")).select_by_value(action)


def day_words(day):
    day = date.fromisoformat(day)
    return f"{day.day} {'Sept' if day.month == 9 else day.strftime('%b')} {day.year}"


def figure(text):
    """A number as the page writes it; 0 for a dash."""
    digits = re.sub(r"[^\d.]", "", text)
    return float(digits) if digits else 0.0


def page(test):
    browser, report, node = test.browser, test.report, test.office
    browser.open(test.recorders[1].origin + "/history", "history")
    report.wait("the history's page shows its tables", 20, lambda: (
        browser.count("#sessions tbody tr") > 0, browser.text("main")))
    words = browser.words()
    if browser.js("return typeof Chart;") != "undefined":
        report.check("both charts are drawn", browser.js("return probe.lit(document.getElementById('minutes')) > 500 "
                     "&& probe.lit(document.getElementById('reps')) > 500;"))
    else:
        report.check("Chart.js is there", False, "no global Chart: is libjs-chart.js installed?")
    for last, camera, action in (("7d", "", ""), ("", "pair", ""), ("4w", "", "squat"), ("1y", "floor", "burpee")):
        choose(browser, last, camera, action)
        chosen = {name: value for name, value in (("last", last), ("camera", camera), ("action", action)) if value}
        sessions = node.history("sessions", chosen)
        name = ", ".join(f"{key} {value}" for key, value in chosen.items()) or "no filter"

        def ids():
            return browser.js("return [...document.querySelectorAll('#sessions tbody a')].map((a) => "
                              "new URL(a.href).searchParams.get('id'));")
        seen = until(10, lambda: (ids() == [one["id"] for one in sessions], ids()))
        report.check(f"{name}: the page lists the {len(sessions)} sessions of the command, in its order",
                     seen[0] and sessions, (seen[1], [one["id"] for one in sessions]))
        chips = [row[4] for row in rows_of(browser, "#sessions")]
        expected = ["".join(label_name(words, one["label"]) + (f" {one['reps']}" if one.get("reps") is not None else "")
                            for one in session["actions"]) for session in sessions]
        report.same(f"{name}: with their actions and repetitions", chips, expected)
        days_tables(test, name, chosen)
    totals = {row[0]: (figure(row[2]), figure(row[3])) for row in rows_of(browser, "#totals")}
    expected = {label_name(words, row["label"]): (float(row.get("reps") or 0), float(row["days"]))
                for row in node.history("actions", {"last": "1y", "camera": "floor", "action": "burpee"})}
    report.same("the totals are those of the command", totals, expected)
    choose(browser, "1d", "pair", "burpee")
    report.wait("where nothing fits, the page says so", 10, lambda: (
        browser.text("#empty") == words["history_empty_filter"], browser.text("main")))


def floor(test):
    """The heat map against 'spotter history weekdays --json', and its CSV against --csv."""
    browser, report, node = test.browser, test.report, test.office
    rows = node.history("weekdays", {"camera": "pair"})
    browser.open(test.recorders[1].origin + "/history?last=all&camera=pair", "history")
    report.wait("the page shows how full it is", 20, lambda: (browser.count("#floor tbody tr") > 0, browser.text("main")))
    people = {(row["weekday"], row["hour"]): row["people"] for row in rows if "people" in row}
    busy = [hour for (_, hour), mean in people.items() if mean >= 0.05]
    found = {(day, int(line[0][:2])): cell for line in rows_of(browser, "#floor")
             for day, cell in enumerate(line[1:], 1)}
    expected = {(day, hour): f"{people[day, hour]:.1f}" if (day, hour) in people else browser.words()["none"]
                for day in range(1, 8) for hour in range(min(busy), max(busy) + 1)}
    report.same("its numbers are those of the command", sorted(found.items()), sorted(expected.items()))
    shades = browser.js("return [...document.querySelectorAll('#floor td')].map((cell) => "
                        "[parseFloat(cell.textContent) || 0, getComputedStyle(cell).backgroundColor]);")
    most = max(shade for shade in shades)
    report.check("the fullest hour is shaded, and one without people is not",
                 most[1] != "rgba(0, 0, 0, 0)" and len({shade for number, shade in shades}) > 1, shades)
    files(test)
    days(test)


def files(test):
    """Each list as a file, against the command's --csv: with the page's filters, and with all rows."""
    browser, report, node = test.browser, test.report, test.office
    for name in ("days", "weekdays", "zones", "actions", "cameras", "sessions", "sets"):
        path = browser.js("return new URL(document.getElementById(arguments[0] + '-csv').href);", name)
        path = path if isinstance(path, str) else browser.js(
            "return document.getElementById(arguments[0] + '-csv').getAttribute('href');", name)
        status, headers, text = node.request("GET", path, cookie=test.cookie)
        expected = node.command("history", name, "--csv", "--camera", "pair",
                                *(["--limit", "50000"] if name not in ("weekdays",) else []))
        report.same(f"the file of {name} is that of the command", text, expected)
        report.check("and is saved", status == 200 and headers.get_content_type() == "text/csv"
                     and f'filename="spotter-{name}-' in headers["Content-Disposition"], dict(headers))
    for query, why in (("format=xls", "invalid_format"), ("format=csv&limit=0", "invalid_limit")):
        status, _, text = node.request("GET", f"/api/v1/history/sets?{query}", cookie=test.cookie)
        report.check(f"{query} is refused", status == 400 and why in text, (status, text))


def days(test):
    """Two dates in place of a span, and the address that keeps them."""
    browser, report, node = test.browser, test.report, test.office
    newest = node.history("sessions", {"limit": 1})[0]["start"][:10]
    browser.open(test.recorders[1].origin + f"/history?since={newest}&until={newest}", "history")
    wanted = len(node.history("sessions", {"since": newest, "until": newest, "limit": 5000}))
    report.wait("the address gives the days", 15, lambda: (
        browser.count("#sessions tbody tr") == min(wanted, 50), (wanted, browser.count("#sessions tbody tr"))))
    fields = browser.js("const { since, until } = document.forms.filters; return [since.value, until.value];")
    report.same("and the fields have them", fields, [newest, newest])
    browser.js("const { last } = document.forms.filters; last.value = '1y'; "
               "last[0].form.dispatchEvent(new Event('change', { bubbles: true }));")
    report.wait("a span takes their place", 10, lambda: ("last=1y" in browser.path() and "since" not in browser.path(),
                                                        browser.path()))
    browser.open(test.recorders[1].origin + "/history?last=all", "history")
    report.wait("all is listed", 15, lambda: (browser.count("#sessions tbody tr") > 0, browser.text("main")))
    browser.js("const { last } = document.forms.filters; last.value = 'days'; "
               "last[0].form.dispatchEvent(new Event('change', { bubbles: true }));")
    report.wait("the fields for days come with their span", 10, lambda: (browser.count("#days input") == 2, browser.text("main")))
    with browser.expecting(r"status of 400"):
        browser.open(test.recorders[1].origin + f"/history?since={newest}&until=2020-01-01", "history")
        report.wait("a span that ends before it begins is refused in words", 10, lambda: (
            "before the beginning" in (browser.text("#status") or "") and browser.count("#results, #empty") == 0,
            browser.text("main")))
    back(test)
    browser.open(test.recorders[1].origin + "/history?last=all", "history")
    everything = len(node.history("sessions", {"limit": 5000}))
    report.wait("the list begins", 15, lambda: (browser.count("#sessions tbody tr") >= min(50, everything), ""))

    def end():
        browser.js("document.getElementById('sessions').scrollIntoView({ block: 'end' });")
        shown = browser.count("#sessions tbody tr")
        return shown == min(everything, 5000), (shown, everything)
    report.wait("who scrolls to its end gets all of it", 40, end)


def back(test):
    """From a session the way back leads to the list as it was."""
    browser, report = test.browser, test.report
    filters = "/history?last=all&camera=pair"
    browser.open(test.recorders[1].origin + filters, "history")
    browser.click("#sessions tbody a")
    browser.page = "session"
    report.wait("a session's way back has the filters", 10, lambda: (
        (browser.js("return document.getElementById('back')?.href;") or "").endswith(filters),
        browser.js("return [document.referrer, document.getElementById('back')?.href];")))


def days_tables(test, name, chosen):
    """The two tables of days against 'spotter history days --json' with the same filters, without what is no exercise."""
    browser, report = test.browser, test.report
    words = browser.words()
    model = test.office.get("state", test.cookie)["model"]
    rest = {"none", "other", "no_person", "low_confidence", "starting", *model["labels"]} - set(model["exercises"])
    for kind, table, unit, tolerance in (("seconds", "minutes", 60, 0.051), ("reps", "reps", 1, 0.001)):
        expected = defaultdict(float)
        for row in test.office.history("days", chosen):
            for label, value in (row.get(kind) or {}).items():
                if label == chosen["action"] if chosen.get("action") else label not in rest:
                    expected[day_words(row["day"]), label_name(words, label)] += value / unit
        heads = heads_of(browser, f"#{table}-table")[1:]
        found = {(row[0], head): figure(cell) for row in rows_of(browser, f"#{table}-table")
                 for head, cell in zip(heads, row[1:])}
        wrong = [(key, found.get(key), expected.get(key)) for key in {*found, *expected}
                 if abs(found.get(key, 0) - expected.get(key, 0)) > tolerance]
        report.check(f"{name}: {kind} of {len(expected)} days and actions are those of the command",
                     expected and not wrong, wrong or "no rows")


def delete(test):
    browser, report, node = test.browser, test.report, test.office
    session = node.history("sessions", {"limit": 1})[0]
    name = session["id"]
    report.check("the session to delete has sets and predictions", session["sets"]
                 and len(node.get(f"sessions/{name}/predictions", test.cookie)) > 20, session)
    browser.open(test.recorders[1].origin + "/history?last=all", "history")
    report.wait("the list leads to the session", 15, lambda: (browser.count(f"#sessions a[href*='{name}']") == 1,
                                                            browser.text("main")))
    browser.click(f"#sessions a[href*='{name}']")
    browser.page = "session"
    report.wait("the session's page shows it", 15, lambda: (
        browser.path() == f"/session?id={name}" and browser.count("#sets tbody tr") == len(session["sets"]),
        (browser.path(), browser.text("main"))))
    report.check("with its course", browser.js("return probe.lit(document.getElementById('timeline'));") > 50)
    browser.click("#delete")
    report.wait("a second question comes first", 5, lambda: (browser.count("#sure") == 1, "no dialog"))
    report.check("and says what would be lost", re.search(r"\d", browser.text("#loss") or ""), browser.text("#loss"))
    browser.click("#sure button[value=no]")
    report.wait("'keep' closes it", 5, lambda: (browser.count("#sure") == 0, browser.text("#sure")))
    report.check("and keeps the session", node.get(f"sessions/{name}", test.cookie)["id"] == name)
    for body, why in (({}, "no confirmation"), ({"confirm": "yes"}, "another confirmation")):
        status, _, text = node.request("POST", f"/api/v1/sessions/{name}/delete", body, test.cookie)
        report.check(f"the API does not delete with {why}", status == 400, (status, text))
    browser.click("#delete")
    browser.click("#really")
    words = browser.words()
    report.wait("the page goes back to the history and says that it is done", 15, lambda: (
        browser.path().startswith("/history") and browser.text(".banner") == words["deleted"]
        and browser.count("#sessions tbody tr") > 0, (browser.path(), browser.text(".banner"), browser.text("#sure"))))
    browser.page = "history"
    report.check("the session is gone from the list", browser.count(f"#sessions a[href*='{name}']") == 0)
    status, _, text = node.request("GET", f"/api/v1/sessions/{name}", cookie=test.cookie)
    report.check("from the API", status == 404, (status, text))
    left = [one["id"] for one in node.history("sessions", {}) if one["id"] == name]
    report.check("from the command", not left, left)
    rows = [int(node.query(f"select count(*) from {table} where {column} = '{name}'")) for table, column in (
        ("session", "id"), ("session_set", "session"), ("session_action", "session"))]
    report.check("from the database, with its sets and actions", rows == [0, 0, 0], rows)
    predictions = [one for one in node.history("predictions", {"camera": session["camera"]})
                   if one["track"] == session["track"] and session["start"] <= one["time"] <= session["end"]]
    report.check("and so are its predictions", not predictions, predictions[:3])
    status, _, text = node.request("POST", f"/api/v1/sessions/{name}/delete", {"confirm": name}, test.cookie)
    report.check("deleting it again says that it is not there", status == 404, (status, text))
