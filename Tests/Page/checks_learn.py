"""What the node asks: a person answers on a phone, and the page says how often the node is right."""
import datetime
import json

from checks_live import label_name

# Weeks ago, and how many of ten answers were right then.
SEEDED = {0: 9, 5: 8, 10: 6}


def fill(test):
    """Gives the gym's history answers of three months, which a computer with the same room might have exported."""
    about = json.loads((test.folder / "history.jsonl").open().readline())
    questions, pools = [], []
    for weeks, right in SEEDED.items():
        today = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(weeks=weeks, minutes=20)
        week = str(today.date() - datetime.timedelta(days=today.weekday()))
        for number in range(10):
            start = today + datetime.timedelta(seconds=20 * number)
            moments = [f"{start + datetime.timedelta(seconds=after):%Y-%m-%dT%H:%M:%S}.000Z" for after in (0, 10)]
            questions.append({
                "table": "questions", "kind": "set", "sample": "random", "reason": "random", "weight": 2.0, "week": week,
                "camera": "floor", "start": moments[0], "end": moments[1], "shown": "squat", "reps": 8,
                "likely": "squat lunge", "model": "m@1", "answer": "squat" if number < right else "none",
                "answered": moments[1], "poses": ""} | ({"answer_reps": 8} if number < right else {}))
        pools.append({"table": "question_pools", "week": week, "kind": "set", "camera": "floor", "seen": 20, "seconds": 800.0})
    path = test.folder / "answers.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in [about, *questions, *pools]))
    report = json.loads(test.gym.command("import", path, "--json"))
    test.report.check("an import brings answers along", report["added"] == {"questions": 30, "question_pools": 3}, report)


def asked(test):
    """The questions that wait, as the commands list them."""
    return json.loads(test.gym.command("learn", "list", "--json"))


def answered(test):
    browser, report, node = test.browser, test.report, test.gym
    report.wait("the node asks about its sets", 150, lambda: (len(asked(test)) >= 2, len(asked(test))))
    questions = asked(test)
    report.same("the page's questions are the commands'", node.get("questions")[: len(questions)], questions)
    browser.size(390, "dark")
    browser.open(f"{test.recorders[2].origin}/learn", "learn")
    words = browser.words()
    given = []
    for number, question in enumerate(questions[:6]):
        place = words["learn_place"].replace("{n}", str(number + 1))[:4]
        report.wait(f"question {number + 1} is shown", 15, lambda: (
            (browser.text("#place") or "").startswith(place) and browser.js("return probe.lit(document.getElementById('stage'));") > 50,
            (browser.text("#place"), browser.text("#where"))))
        if number == 0:
            where = browser.text("#where") or ""
            report.check("with the camera's name", where.startswith(question["camera"].capitalize()), where)
            picture = test.pictures / "learn-390-dark.png"
            browser.picture(picture, True)
            tall = browser.js("return Math.min(...[...document.querySelectorAll('#likely button')].map((one) => one.offsetHeight));")
            report.check("a thumb finds the answers", tall >= 44, tall)
            over = browser.js("return document.documentElement.scrollWidth - 390;")
            report.check("nothing sticks out at the side of a phone", over <= 0, over)
            browser.click("#slow")
        if question["kind"] == "excerpt" or number == len(questions[:6]) - 1:
            browser.press("answer_none", "#rest")
            given.append(("none", None))
            continue
        browser.click("#likely button")
        report.check("the likeliest label is what was shown", browser.text("#count-title") == words["learn_count"].replace(
            "{label}", label_name(words, question["shown"])), browser.text("#count-title"))
        browser.click("#more")
        browser.press("learn_save", "#count")
        given.append((question["shown"], question["reps"] + 1))

    def found():
        answers = {row["id"]: (row["answer"], row.get("answer_reps")) for row in stored(test)}
        return [answers.get(question["id"]) for question in questions[:6]]
    report.wait("each answer is stored as it was given", 10, lambda: (found() == given, (found(), given)))
    browser.open(f"{test.recorders[2].origin}/learn", "learn")
    told = json.loads(node.command("learn", "accuracy", "--json"))[0]
    report.same("the API says what the command says", node.get("accuracy")[0]["right"], told["right"])
    by_month = json.loads(node.command("report", "--node", "--json"))["by_month"]
    report.same("so does the report about the node", node.get("accuracy?by=month"), by_month)
    report.wait("the page shows the trend, month by month", 10, lambda: (
        browser.count("#accuracy tbody tr") == len(by_month) >= 2 and browser.count("#accuracy .interval .point") > 1,
        browser.text("#accuracy")))
    expected = words["accuracy_right"].split("{n}")[0]
    report.wait("and the page says how often the node is right", 10, lambda: (
        expected in (browser.text("#accuracy") or ""), browser.text("#accuracy")))
    report.wait("nothing was learned yet", 10, lambda: (
        words["learning_idle"] in (browser.text("#learning") or ""), browser.text("#learning")))
    test.browser.picture(test.pictures / "learn-accuracy-390-dark.png", True)
    browser.size(1280, "dark")
    status, _, text = node.request("POST", "/api/v1/questions/99999/answer", {"answer": "squat"})
    report.check("a question that is not there is refused", status == 404 and "unknown_question" in text, (status, text))
    status, _, text = node.request("POST", f"/api/v1/questions/{questions[0]['id']}/answer", {"answer": "squt"})
    report.check("a label that nobody knows is refused with the nearest", status == 400 and "squat" in text, (status, text))
    for answer in ("none", "plank"):
        status, _, text = node.request(
            "POST", f"/api/v1/questions/{questions[0]['id']}/answer", {"answer": answer, "reps": 4})
        report.check(f"repetitions of {answer} are refused", status == 400 and "invalid_reps" in text, (status, text))


def stored(test):
    return json.loads(test.gym.command("learn", "list", "--answered", "--json"))
