"""Before anything was seen: a made-up week on all pages, and a node that is set up on a page."""
import json
import os
import re
import subprocess

import checks_pages
from node import clean_environment, free_port
from report import Missed, until

MADE_UP = [("live", "/", "document.querySelector('#made-up')"), ("tv", "/tv", "document.querySelector('#made-up')"),
           ("history", "/history", "document.querySelectorAll('#floor td').length > 20"),
           ("workouts", "/workouts", "document.body.textContent.includes('Anna')"),
           ("node", "/node", "document.querySelector('#made-up')")]


class Program:
    """`spotter run` in a folder of its own, without the settings of other nodes."""

    def __init__(self, test, name, *arguments, port):
        self.folder, self.origin = test.folder / name, f"http://127.0.0.1:{port}"
        self.folder.mkdir(exist_ok=True)
        test.more_origins.append(self.origin)
        self.log = self.folder / "node.log"
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                [test.spotter, "run", *arguments], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env=clean_environment() | {"SPOTTER_WEB_LISTEN": f"127.0.0.1:{port}"})
        self.pid_file = test.folder / f"{name}.pid"
        self.pid_file.write_text(str(self.process.pid))
        self.wait("http://")

    def wait(self, words):
        is_there, text = until(30, lambda: (words in self.log.read_text(), self.log.read_text()[-600:]))
        if not is_there:
            raise Missed(f"the log never said '{words}': {text}")

    def stop(self):
        self.process.terminate()
        return self.process.wait(15)

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.pid_file.unlink(missing_ok=True)


def command(test, *arguments):
    return subprocess.run(
        [test.spotter, *arguments], capture_output=True, text=True, timeout=60, check=True, env=clean_environment())


def made_up(test):
    """All pages of a made-up week say that it was made up, and tell what the commands tell."""
    browser, report = test.browser, test.report
    folder = test.folder / "made-up"
    command(test, "setup", "--demo", "--folder", folder)
    config = ["--config", folder / "config.toml"]
    node = Program(test, "made-up-node", "--demo", *config, port=free_port())
    try:
        for name, path, ready in MADE_UP:
            checks_pages.take(test, node.origin, f"made-up-{name}", path, ready, is_whole=name == "history")
            box = browser.text("#made-up") or ""
            report.check(f"{name} says that it was made up", "Made up" in box, box)
        browser.open(node.origin + "/history", "made-up-history")
        sessions = json.loads(command(test, "history", "sessions", "--json", "--last", "7d", *config).stdout)
        report.check("the history has a week", len(sessions) > 500, len(sessions))
        seen = until(10, lambda: (browser.count("#absences table") == 1, browser.text("body")))
        report.check("the camera that was away is told", *seen)
        browser.open(node.origin + "/session?id=" + sessions[0]["id"], "made-up-session")
        report.wait("a session has sets", 10, lambda: (browser.count("#sets tbody tr") > 0, browser.text("body")))
        report.same("the node ends well", node.stop(), 0)
    finally:
        node.kill()


def set_up(test):
    """A node without a configuration asks on its page, and starts with the answers."""
    browser, report = test.browser, test.report
    node = Program(test, "new", port=free_port())
    try:
        checks_pages.take(test, node.origin, "setup", "/", "document.querySelector('.one-camera')", is_whole=True)
        report.check("the page asks", "Set up this node" in (browser.text("h1") or ""), browser.text("body"))
        ids = browser.js(
            "const boxes = () => [...document.querySelectorAll('.one-camera')], add = document.getElementById('add');"
            "const remove = (box) => box.querySelector('.look + button').click(), before = boxes().length;"
            "add.click(); add.click(); remove(boxes()[before]); add.click();"
            "const ids = boxes().map((box) => box.querySelector('[name=camera_id]').value);"
            "while (boxes().length > before) remove(boxes().at(-1));"
            "return ids;")
        report.check("no two cameras get one id", len(set(ids)) == len(ids) > 2, ids)
        with browser.expecting(r"status of 400"):
            type_into(browser, "[name=camera_source]", "  ")
            browser.click(".look")
            report.wait("a camera without a source is told", 10, lambda: (
                "needs a source" in (browser.text(".one-camera") or ""), browser.text(".one-camera")))
        type_into(browser, "[name=site]", "berlin")
        type_into(browser, "[name=name]", "Hall")
        type_into(browser, "[name=camera_id]", "floor")
        type_into(browser, "[name=camera_name]", "Floor")
        type_into(browser, "[name=camera_source]", "/dev/nothing")
        browser.click(".look")
        report.wait("a camera that is not there is told", 20,
                    lambda: (browser.count(".one-camera .mark.bad") == 1, browser.text(".one-camera")))
        type_into(browser, "[name=camera_source]", str(test.folder / "two_people.poses.jsonl"))
        browser.click(".look")
        report.wait("a camera shows its people as skeletons", 40, lambda: (
            browser.count(".one-camera .stage canvas") == 1
            and browser.js("return probe.lit(document.querySelector('.stage canvas')) > 100;"), browser.text(".one-camera")))
        browser.picture(test.pictures / "setup-camera.png", is_whole=True)
        browser.click("[name=has_broker]")
        type_into(browser, "[name=broker]", f"127.0.0.1:{free_port()}")
        browser.click("#try-broker")
        report.wait("a broker that is not there is told", 20,
                    lambda: (browser.count("#broker-status .mark.bad") == 1, browser.text("#broker")))
        browser.picture(test.pictures / "setup-broker.png", is_whole=True)
        browser.click("[name=has_broker]")
        type_into(browser, "[name=site]", "Not an id")
        browser.click("#finish")
        report.check("a wrong id is refused in the browser", browser.count(":invalid") > 0 and browser.count("#end") == 0)
        type_into(browser, "[name=site]", "berlin")
        report.check("nothing is written so far", not (node.folder / "conf.d").exists(), os.listdir(node.folder))
        with browser.expecting(r"ERR_CONNECTION_REFUSED", r"404"):
            browser.click("#finish")
            report.wait("the node starts", 60, lambda: (browser.count("#open") == 1, browser.text("body")))
        browser.picture(test.pictures / "setup-done.png", is_whole=True)
        written = (node.folder / "conf.d" / "setup.toml").read_text()
        report.check("the answers are written", re.search('site = "berlin"', written) and "two_people" in written, written)
        browser.click("#open")
        report.wait("the node shows its page", 20, lambda: (
            browser.path() == "/" and "Floor" in (browser.text("main") or ""), browser.text("body")))
    finally:
        node.kill()


def type_into(browser, selector, words):
    element = browser.find(selector)
    element.clear()
    element.send_keys(words)
