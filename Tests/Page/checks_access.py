"""Who may see and do what: passwords, roles, links that work once."""
import json
import re

from report import until


def routes(node):
    """The addresses of the API by method. For a placeholder stands something that is there, if there is one."""
    paths = json.loads(node.request("GET", "/api/v1/openapi.json")[2])["paths"]
    clips = [".".join(file.relative_to(node.folder / "clips").parts).removesuffix(".poses.jsonl")
             for file in (node.folder / "clips").glob("*/*/*.poses.jsonl")]
    workouts = json.loads(node.command("history", "workouts", "--json"))
    # By the part of the address before the placeholder; what is new there has a number.
    values = {"cameras": "floor", "sessions": node.history("sessions", {"limit": 1})[0]["id"],
              "clips": (clips or ["squat.anna.20261101T101500000"])[0], "models": "exercises",
              "workouts": workouts[0]["id"] if workouts else "1"}

    def fill(path):
        parts = path.split("/")
        return "/".join(values.get(before, "1") if "{" in part else part for before, part in zip([""] + parts, parts))
    return [(method.upper(), fill(path)) for path, methods in paths.items() for method in methods
            if method in ("get", "post", "put", "delete")]


def make_password(node, role):
    return node.command("web", "password", *(() if role == "operator" else ("--role", role))).strip()


def locked(test):
    report, node = test.report, test.office
    for role in ("operator", "viewer"):
        password = make_password(node, role)
        report.check(f"'spotter web password' prints a password for the {role}", re.fullmatch(r"\S{12,}", password),
                     password)
        test.secrets[f"the {role}'s password"] = password
    stored = node.folder / "web-passwords.json"
    test.secrets["the key that signs log-ins"] = json.loads(stored.read_text())["signing_key"]
    mode = stored.stat().st_mode
    report.check("the file of passwords is only for its owner", mode & 0o077 == 0, oct(mode))
    node.start()
    for page in ("/", "/tv", "/history", "/session", "/node", "/aim", "/train"):
        status, headers, text = node.request("GET", page)
        report.check(f"{page} leads to the log-in", status == 303 and headers["Location"].startswith("/login")
                     and "page-" not in text, (status, headers.get("Location"), text[:200]))
    everything = routes(node)
    report.check("the list of addresses is served", len(everything) >= 15, everything)
    open_to_all = ("/api/v1/openapi.json", "/api/v1/login", "/api/v1/enter", "/api/v1/logout", "/api/v1/member/login",
                   "/api/v1/member/logout")
    closed = [(method, path) for method, path in everything if path not in open_to_all]
    statuses = [node.request(method, path, {} if method == "POST" else None)[0] for method, path in closed]
    wrong = [one for one in zip(closed, statuses) if one[1] != 401]
    report.check(f"none of {len(closed)} addresses of the API answers without a password", closed and not wrong, wrong)
    status, _, text = node.request("GET", "/api/v1/state", headers={"Host": "page.example"})
    report.check("a name that is not this node's is refused", status == 421, (status, text))
    status, _, text = node.request("GET", "/api/v1/state", headers={"Host": f"192.0.2.7:{node.port}"})
    report.check("an address in figures is not", status == 401, (status, text))
    status, headers, _ = node.request("GET", "/login")
    policy = headers.get("Content-Security-Policy", "")
    report.check("pages may load nothing from elsewhere", "default-src 'none'" in policy and "unsafe" not in policy
                 and not re.search(r"https?:|\*", policy), policy)


def submit(browser, password):
    # The script takes the form over once it has the words.
    until(10, lambda: (browser.js("return document.querySelector('#form button')?.disabled === false;"), None))
    field = browser.find("#password")
    field.clear()
    field.send_keys(password)
    field.submit()


def cookie(browser):
    return "; ".join(f"{one['name']}={one['value']}" for one in browser.driver.get_cookies())


def role(browser):
    """What the browser may do: the status of the state, and the role in it."""
    return browser.wait_js("const answer = await fetch('/api/v1/state'); "
                           "return [answer.status, (await answer.json()).role ?? null];")


def sign_in(test):
    browser, report, node = test.browser, test.report, test.office
    origin = test.recorders[1].origin
    browser.forget()
    browser.open(origin + "/node", "login")
    report.wait("the browser is led to the log-in", 10, lambda: (
        browser.path().startswith("/login") and browser.count("#password") == 1, browser.path()))
    with browser.expecting(r"status of 401"):
        submit(browser, "wrong-wrong-wrong")
        report.wait("a wrong password is told so", 10, lambda: (
            "wrong" in (browser.text("#failed") or ""), browser.text("#failed")))
    submit(browser, test.secrets["the operator's password"])
    report.wait("the right one opens the page that was wanted", 15, lambda: (browser.path() == "/node", browser.path()))
    browser.page = "node"
    report.same("as operator", role(browser), [200, "operator"])
    found = browser.driver.get_cookies()
    report.check("the cookie is out of reach for scripts", len(found) == 1 and found[0]["httpOnly"]
                 and found[0].get("sameSite") == "Strict" and browser.js("return document.cookie;") == "", found)
    test.cookie = cookie(browser)
    foreign = {"Origin": "http://page.example"}
    status, _, text = node.request("POST", "/api/v1/cameras/floor/enabled", {"enabled": False}, test.cookie, foreign)
    report.check("another site's page cannot use it", status == 403, (status, text))


def viewer(test):
    browser, report, node = test.browser, test.report, test.office
    origin = test.recorders[1].origin
    browser.open(origin + "/", "live")
    report.wait("the operator sees switches", 15, lambda: (browser.count("button.switch") == 2, browser.text("main")))
    words = browser.words()
    report.wait("and can sign out", 5, lambda: (
        words["sign_out"] in (browser.text("header") or ""), browser.text("header")))
    with browser.expecting(r"status of 401", r"EventSource"):
        browser.click("header > :last-child button")
        report.wait("which leads to the log-in", 10, lambda: (browser.path().startswith("/login"), browser.path()))
        report.same("and ends what the browser may do", role(browser)[0], 401)
    browser.open(origin + "/login", "login")
    submit(browser, test.secrets["the viewer's password"])
    report.wait("a viewer signs in", 15, lambda: (
        browser.path() == "/" and browser.count("#cards > *") == 2, browser.path()))
    report.same("as viewer", role(browser), [200, "viewer"])
    report.check("and sees no switches", browser.count("button.switch") == 0, browser.text("main"))
    session = node.history("sessions", {"limit": 1})[0]["id"]
    browser.open(f"{origin}/session?id={session}", "session")
    report.wait("sees a session", 15, lambda: (browser.count("#sets tbody tr") > 0, browser.text("main")))
    report.check("but cannot delete it", browser.count("#delete") == 0 and browser.count("button.danger") == 0)
    browser.open(origin + "/node", "node")
    report.wait("sees the node", 15, lambda: (browser.count("#figures dd") > 3, browser.text("main")))
    report.check("but neither its log nor its doctor", browser.count("#doctor") + browser.count("#log-box") == 0)
    own = cookie(browser)
    denied = [("POST", "cameras/floor/enabled", {"enabled": False}), ("GET", "log", None), ("GET", "doctor", None),
              ("POST", f"sessions/{session}/delete", {"confirm": session})]
    answers = [(path, node.request(method, "/api/v1/" + path, body, own)[0]) for method, path, body in denied]
    report.check("nor does the API obey a viewer", all(status == 403 for _, status in answers), answers)
    forged = own[:-4] + ("aaaa" if not own.endswith("aaaa") else "bbbb")
    report.same("a changed cookie is worth nothing", node.request("GET", "/api/v1/state", cookie=forged)[0], 401)


def viewer_of_gym(test):
    """Passwords close a node that runs; the viewer signs in."""
    browser, report, node = test.browser, test.report, test.gym
    for name in ("operator", "viewer"):
        test.secrets[f"the gym's {name}'s password"] = make_password(node, name)
    status, _, text = node.request("GET", "/api/v1/state")
    report.check("a password closes the node at once", status == 401, (status, text))
    browser.open(test.recorders[2].origin + "/login", "login")
    submit(browser, test.secrets["the gym's viewer's password"])
    report.wait("the viewer signs in", 15, lambda: (browser.path() == "/", browser.path()))
    report.same("as viewer", role(browser), [200, "viewer"])


def wall(test):
    """The browser of the wall comes to its page, and from every other page back to it."""
    browser, report, node = test.browser, test.report, test.office
    origin = test.recorders[1].origin
    address = node.command("web", "url", "--role", "wall", "--host", f"127.0.0.1:{test.recorders[1].port}").strip()
    browser.forget()
    browser.open(address, "the link for the wall")
    report.wait("the link leads to the wall", 15, lambda: (
        browser.path() == "/tv" and browser.count("#tiles > *") > 0, browser.path()))
    report.same("as wall", role(browser), [200, "wall"])
    report.check("there is no way to other pages", browser.text("#back") is None, browser.text("#back"))
    own = cookie(browser)
    pages = [(page, node.request("GET", page, cookie=own)) for page in ("/", "/workouts", "/history", "/node")]
    report.check("every other page leads back", all(
        answer[0] == 303 and answer[1]["Location"] == "/tv" for _, answer in pages), [(page, answer[0]) for page, answer in pages])
    # Addresses of members ask for a code, whatever the role.
    denied = [path for method, path in routes(node) if method == "GET" and path not in (
        "/api/v1/state", "/api/v1/live", "/api/v1/openapi.json") and node.request(method, path, cookie=own)[0] != (
            401 if path.startswith("/api/v1/member/") or path == "/api/v1/member" else 403)]
    report.check("the API tells the wall nothing else", not denied, denied)


def link(test):
    browser, report, node = test.browser, test.report, test.office
    address = node.command("web", "url", "--role", "viewer", "--host", f"127.0.0.1:{test.recorders[1].port}").strip()
    report.check("'spotter web url' prints a link", address.startswith(test.recorders[1].origin), address)
    path = address.removeprefix(test.recorders[1].origin)
    # A chat program looks at a link before a person does.
    node.request("GET", path)
    browser.forget()
    browser.open(address, "the link")
    report.wait("it lets the browser in", 15, lambda: (
        browser.path() == "/" and browser.count("#cards > *") == 2, browser.path()))
    report.same("with its role", role(browser), [200, "viewer"])
    here = browser.driver.current_url
    report.check("and does not stay in the address", "token" not in here, here)
    # The page that follows the events would be led to the log-in.
    browser.open(test.recorders[1].origin + "/login", "login")
    browser.forget()
    with browser.expecting(r"status of 401"):
        browser.open(address, "the link")
        seen = until(10, lambda: (bool(browser.text("#failed")), browser.text("main")))
        report.check("a second time it says that it has been used", seen[0], (browser.path(), seen[1]))
        report.same("and lets nobody in", role(browser)[0], 401)


def described(test):
    """All JSON that any part of this test was answered with is as the API's description says."""
    nodes = (test.front, test.gym, test.office, test.club, test.hall)
    misfits = [f"{node.name}: {misfit}" for node in nodes for misfit in node.description.misfits]
    count, seen = sum(node.description.count for node in nodes), set.union(*(node.description.seen for node in nodes))
    test.report.check(f"{count} answers of {len(seen)} addresses are as described, to the last key",
                      count > 100 and len(seen) > 20 and not misfits, misfits[:10] or f"{count} of {sorted(seen)}")
