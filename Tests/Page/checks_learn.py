"""What the node asks: a person answers on a phone, and the page says how often the node is right."""
import json

from checks_live import label_name


def asked(test):
    """The questions that wait, as the commands list them."""
    return json.loads(test.gym.command("learn", "list", "--json"))


def answered(test):
    browser, report, node = test.browser, test.report, test.gym
    report.wait("the node asks about its sets", 150, lambda: (len(asked(test)) > 4, len(asked(test))))
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
            picture = test.pictures / "learn-390-dark.png"
            browser.picture(picture, True)
            tall = browser.js("return Math.min(...[...document.querySelectorAll('#likely button')].map((one) => one.offsetHeight));")
            report.check("a thumb finds the answers", tall >= 44, tall)
            over = browser.js("return document.documentElement.scrollWidth - 390;")
            report.check("nothing sticks out at the side of a phone", over <= 0, over)
            browser.click("#slow")
        if question["kind"] == "excerpt" or number == 5:
            browser.press("answer_none", "#rest")
            given.append(("none", None))
            continue
        browser.click("#likely button")
        report.check("the likeliest label is what was shown", browser.text("#count-title") == words["learn_count"].replace(
            "{label}", label_name(words, question["shown"])), browser.text("#count-title"))
        browser.click("#more")
        browser.press("learn_save", "#count")
        given.append((question["shown"], question["reps"] + 1))
    report.wait("the answers are stored", 10, lambda: (
        len(stored(test)) >= len(given), stored(test)))
    found = {row["id"]: (row["answer"], row.get("answer_reps")) for row in stored(test)}
    report.same("each as it was given", [found.get(question["id"]) for question in questions[:6]], given)
    browser.open(f"{test.recorders[2].origin}/learn", "learn")
    told = json.loads(node.command("learn", "accuracy", "--json"))[0]
    report.same("the API says what the command says", node.get("accuracy")[0]["right"], told["right"])
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


def stored(test):
    return json.loads(test.gym.command("learn", "list", "--answered", "--json"))
