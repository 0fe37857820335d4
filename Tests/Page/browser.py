"""Debian's Chromium, and what it says about the pages: its console, its requests, its pictures."""
import base64
import contextlib
import json
import pathlib
import re
import time

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

from report import Missed, until

PROBE = pathlib.Path(__file__).with_name("probe.js").read_text()
HEIGHTS = {390: 844, 1024: 600, 1280: 800, 1920: 1080, 3840: 2160}


class Browser:
    def __init__(self, folder):
        options = Options()
        options.binary_location = "/usr/bin/chromium"
        for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-proxy-server",
                     "--hide-scrollbars", "--disable-background-networking", "--disable-component-update",
                     "--no-first-run", f"--user-data-dir={folder}/browser"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        options.add_experimental_option("perfLoggingPrefs", {"enableNetwork": True, "enablePage": False})
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        self.driver.set_page_load_timeout(30)
        self.driver.set_script_timeout(30)
        # Much of a page appears with the answers of the API: `find` and `click` wait for it.
        self.driver.implicitly_wait(10)
        self.devtools("Page.addScriptToEvaluateOnNewDocument", {"source": PROBE})
        self.page, self.allowed = "start", []
        # What went wrong on each page, and every address that was asked for.
        self.faults, self.addresses, self.kinds = [], [], set()
        # The browser's own first page is of no interest.
        self.driver.get("about:blank")
        for kind in ("browser", "performance"):
            self.driver.get_log(kind)
        self.size(1280, "dark")

    def devtools(self, command, arguments):
        return self.driver.execute_cdp_cmd(command, arguments)

    def open(self, address, page):
        """Opens an address; faults are from now on those of `page`."""
        self.drain()
        self.page = page
        self.driver.get(address)

    def js(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def wait_js(self, script, *arguments):
        """Runs a script that returns a promise."""
        return self.driver.execute_async_script(
            "const done = arguments[arguments.length - 1]; "
            f"(async () => {{ {script} }})().then(done, (error) => done(String(error)));", *arguments)

    def words(self):
        """The sentences of the page, so that the test does not repeat them."""
        return self.wait_js("return (await import('/assets/text.js')).text;")

    def path(self):
        return self.js("return location.pathname + location.search;")

    def text(self, selector):
        """The text of the first element that fits; None if there is none or it is hidden."""
        return self.js(
            "const found = document.querySelector(arguments[0]); "
            "return found?.checkVisibility() ? found.textContent : null;", selector)

    def count(self, selector):
        """How many visible elements fit."""
        return self.js(
            "return [...document.querySelectorAll(arguments[0])].filter((e) => e.checkVisibility()).length;", selector)

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def click(self, selector):
        element = self.find(selector)
        self.js("arguments[0].scrollIntoView({ block: 'center' });", element)
        element.click()

    def press(self, key, within):
        """Presses the button with these words of the page."""
        words = self.words()[key]
        button = until(10, lambda: (self.js(
            "return [...document.querySelectorAll(arguments[0] + ' button')]"
            ".find((one) => one.textContent === arguments[1]) ?? null;", within, words), None))[0]
        if button is None:
            raise Missed(f"there is no button '{words}' in {within}")
        self.js("arguments[0].scrollIntoView({ block: 'center' });", button)
        button.click()

    def forget(self):
        """Like another browser: no cookie, nothing kept."""
        self.devtools("Network.clearBrowserCookies", {})
        self.js("try { localStorage.clear(); } catch {}")

    def size(self, width, scheme):
        self.devtools("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
        self.devtools("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": HEIGHTS[width], "deviceScaleFactor": 1, "mobile": width < 500})

    def picture(self, file, is_whole=False):
        given = {"format": "png", "captureBeyondViewport": is_whole}
        if is_whole:
            size = self.devtools("Page.getLayoutMetrics", {})["cssContentSize"]
            given["clip"] = {**size, "scale": 1}
        data = base64.b64decode(self.devtools("Page.captureScreenshot", given)["data"])
        file.write_bytes(data)
        return data

    @contextlib.contextmanager
    def expecting(self, *patterns):
        """Faults of the console that a part of the test causes on purpose."""
        self.drain()
        self.allowed = [re.compile(pattern) for pattern in patterns]
        try:
            yield
        finally:
            self.drain()
            self.allowed = []

    def drain(self):
        """Takes over what the browser has noted since the last time."""
        with contextlib.suppress(Exception):
            for words in self.js("return window.probe?.faults.splice(0) ?? [];"):
                self.fault(words)
        for entry in self.driver.get_log("browser"):
            if entry["level"] in ("SEVERE", "WARNING"):
                self.fault(entry["message"])
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                self.addresses.append(message["params"]["request"]["url"])
            elif message["method"] == "Network.webSocketCreated":
                self.addresses.append(message["params"]["url"])
            elif message["method"] == "Network.responseReceived":
                answer = message["params"]["response"]
                self.kinds.add((answer["mimeType"], answer["url"]))

    def fault(self, words):
        if not any(pattern.search(words) for pattern in self.allowed):
            self.faults.append((self.page, words))

    def settle(self, seconds=10):
        """Waits until the page has asked for everything and drawn it."""
        until(seconds, lambda: (self.js("return document.readyState === 'complete';"), None))
        time.sleep(0.3)

    def close(self):
        with contextlib.suppress(Exception):
            self.driver.quit()
