"""What must not leave the node: pictures and secrets. And what the browser must not ask for or complain about."""
from checks_access import routes
from recorder import pictures_in


def node_page(test):
    browser, report = test.browser, test.report
    browser.open(test.recorders[0].origin + "/node", "node")
    report.wait("the node's page shows its figures, cameras and versions", 20, lambda: (
        browser.count("#figures dd") > 5 and browser.count("#cameras tbody tr") == 3
        and browser.count("#versions dd") > 5, browser.text("main")))
    report.wait("the camera that is not there is a problem", 30, lambda: (
        "Door" in (browser.text("#problems") or ""), browser.text("#problems")))
    last = browser.js("return [...document.querySelectorAll('#cameras tbody tr')].find((row) => "
                      "row.cells[0].textContent === 'Door').cells[7].textContent;")
    report.same("and has no last frame", last, browser.words()["none"])
    report.wait("the log is there", 10, lambda: (browser.count("#log p") > 0, browser.text("#log")))
    browser.click("#check")
    report.wait("the doctor's findings are there", 90, lambda: (
        browser.count("#findings li") >= 5 and browser.js("return !document.getElementById('check').disabled;"),
        browser.text("#doctor")))
    report.check("the doctor knows camera and broker", all(
        word in browser.text("#findings").lower() for word in ("camera", "mqtt")), browser.text("#findings"))


def secrets(test):
    """Looks for the passwords in every answer of the API and in the text of every page."""
    browser, report, node = test.browser, test.report, test.front
    node.command("workout", "start", "legs", "--camera", "pair", "--name", "eve")
    node.command("workout", "stop", "pair")
    answers, refused = {"GET /api/v1/live": test.live_text}, []
    for method, path in routes(node):
        if method == "GET" and path != "/api/v1/live":
            asked = path + "?name=eve" if path == "/api/v1/history/records" else path
            status, _, answers[f"GET {path}"] = node.request("GET", asked)
            # Pictures are not allowed on this node, and no joints of sessions and questions are kept.
            is_kept = path.startswith(("/api/v1/sessions/", "/api/v1/questions/")) and path.endswith("/poses")
            # Nobody has logged in with a member's code.
            is_member = (path + "/").startswith("/api/v1/member/")
            expected = 403 if path.endswith("/picture") else 404 if is_kept else 401 if is_member else 200
            refused += [] if status == expected else [(path, status, answers[f"GET {path}"])]
    report.check(f"{len(answers)} addresses of the API answer", len(answers) > 10 and not refused, refused)
    session = node.history("sessions", {"limit": 1})[0]["id"]
    for page in ("/", "/tv", "/history", f"/session?id={session}", "/node", "/aim", "/train", "/learn"):
        browser.open(test.recorders[0].origin + page, page.split("?")[0].strip("/") or "live")
        browser.settle()
        answers[page] = browser.js("return document.documentElement.outerHTML + document.body.innerText;")
    for name, secret in test.secrets.items():
        held = [place for place, text in answers.items() if secret in text]
        report.check(f"{name} is in none of {len(answers)} answers and pages", not held, held)
    log = node.log.read_text()
    held = [name for name, secret in test.secrets.items() if secret in log]
    report.check("nor is one in the log", not held, held)


def browser(test):
    report, seen = test.report, test.browser
    seen.drain()
    for page in ("live", "tv", "aim", "node", "history", "session", "train", "login", "the link"):
        faults = [words for name, words in seen.faults if name == page]
        report.check(f"no error in the browser's console: {page}", not faults, faults)
    other = [fault for fault in seen.faults if fault[0] == "start"]
    report.check("nor before", not other, other)
    own = [test.front.origin, *(recorder.origin for recorder in test.recorders), *test.more_origins]
    asked = [address for address in seen.addresses if not address.startswith(("data:", "blob:"))]
    foreign = [address for address in asked if not any(address.startswith(origin + "/") for origin in own)]
    report.check(f"all {len(asked)} requests went to the nodes", len(asked) > 100 and not foreign, foreign)
    kinds = {(kind, address) for kind, address in seen.kinds if kind.startswith(("image/", "video/", "audio/"))
             and kind != "image/svg+xml"}
    # The gym's operator asked for pictures. The page shows them from its memory, at a "blob:" address.
    allowed = {one for one in kinds if one[0] == "image/jpeg" and test.recorders[2].origin in one[1]}
    report.check("the only pictures that were fetched are the page's own icon and those of the node that may show them",
                 allowed and kinds == allowed, kinds - allowed)


def traffic(test):
    report = test.report
    # The search must find a picture where there is one.
    screenshot = next(test.pictures.glob("live-*.png"), None)
    report.check("the search knows a picture", screenshot and pictures_in(screenshot.read_bytes()) == ["PNG"]
                 and pictures_in(b"\xff\xd8\xff\xe0\0\x10JFIF") == ["JPEG"], screenshot)
    for name, recorder in zip(("front", "office"), test.recorders):
        data = recorder.answers()
        report.check(f"{name}: {len(data) / 2e6:.1f} MB were recorded, with the live events", b"event: state" in data
                     and data.count(b"event: pose") > (100 if name == "front" else -1), len(data))
        report.check(f"{name}: no JPEG, PNG, WebP, GIF, AVIF or film is in them", not pictures_in(data),
                     pictures_in(data))
        held = [secret for secret, text in test.secrets.items() if text.encode() in data]
        report.check(f"{name}: no secret is in them", not held, held)
        report.check(f"{name}: nothing was compressed, so the search saw all", b"content-encoding" not in data.lower())
