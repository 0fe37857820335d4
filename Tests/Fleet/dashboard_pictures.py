"""Opens the dashboards in Debian's Chromium, watches what their charts ask for, and takes pictures."""
import json
import pathlib
import sys
import time

from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

import dashboard_bundle as bundle

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Page"))
from browser import Browser  # noqa: E402

WIDTH = 1280
# Notes the answer to each chart's question before the page sees it.
WATCH = """
window.asked = [];
const ask = window.fetch;
window.fetch = async (...given) => {
  const answer = await ask(...given);
  const address = String(given[0]?.url ?? given[0]);
  if (address.includes('/api/v1/chart/data')) {
    const chart = decodeURIComponent(address).match(/"slice_id":(\\d+)/)?.[1];
    const said = await answer.clone().json().catch((error) => ({ message: String(error) }));
    window.asked.push({ chart: Number(chart), status: answer.status, message: said.message ?? said.errors ?? null,
                        rows: (said.result ?? []).map((one) => one.error ?? one.rowcount) });
  }
  return answer;
};
"""
# What shows that something is being drawn, and what shows that it failed.
BUSY = "[data-test='loading-indicator'], .loading, .ant-skeleton"
BROKEN = "[data-test='error-message'], .error-message, .ant-alert-error, [role=alert].ant-alert"


def log_in(browser, address, password):
    browser.open(f"{address}/login/", "log-in")
    WebDriverWait(browser.driver, 60).until(
        lambda driver: driver.find_elements(By.CSS_SELECTOR, "input[type=password]"))
    fields = browser.driver.find_elements(By.CSS_SELECTOR, "input[type=text], input[type=password]")
    fields[0].send_keys("admin")
    fields[1].send_keys(password)
    browser.driver.find_element(By.CSS_SELECTOR, "button[type=submit], input[type=submit]").click()
    WebDriverWait(browser.driver, 60).until(lambda driver: "/login" not in driver.current_url)


def resize(browser, height):
    browser.devtools("Emulation.setDeviceMetricsOverride", {
        "width": WIDTH, "height": height, "deviceScaleFactor": 1, "mobile": False})


def settle(browser, charts, seconds=120):
    """Waits until every chart has its answer and is drawn."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        answered = {one["chart"] for one in browser.js("return window.asked ?? [];") if one["chart"]}
        if len(answered) >= charts and browser.count(BUSY) == 0:
            break
        time.sleep(0.5)
    # The bars grow for a second.
    time.sleep(3)


def faults_of(browser, name, charts, may_be_empty):
    """`may_be_empty` are numbers of charts."""
    # The choice of gyms asks, too, and is no chart.
    asked = browser.js("return window.asked;")
    found = [f"{name}: {json.dumps(one)}" for one in asked
             if one["status"] != 200 or one["message"] or not one["rows"]
             or any(isinstance(count, str) or not count and one["chart"] not in may_be_empty for count in one["rows"])]
    drawn = len({one["chart"] for one in asked if one["chart"]})
    if drawn != charts:
        found.append(f"{name}: {drawn} of {charts} charts asked for data")
    found += [f"{name}: the page says {text!r}" for text in browser.js(
        "return [...document.querySelectorAll(arguments[0])].filter((e) => e.checkVisibility())"
        ".map((e) => e.textContent);", BROKEN)]
    return found


def look(address, password, folder, pictures, may_be_empty=()):
    """Takes a picture of each dashboard; returns what is wrong."""
    pictures.mkdir(parents=True, exist_ok=True)
    browser, faults = Browser(folder), []
    try:
        browser.devtools("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
        browser.size(WIDTH, "light")
        log_in(browser, address, password)
        for dashboard in bundle.read("dashboards").values():
            name, charts = dashboard["dashboard_title"], len(bundle.placed(dashboard))
            begin = time.monotonic()
            # High enough for all charts: those outside the window would not be drawn.
            resize(browser, 2400)
            browser.open(f"{address}/superset/dashboard/{dashboard['slug']}/?standalone=1", name)
            settle(browser, charts)
            faults += faults_of(browser, name, charts, may_be_empty)
            bottom = browser.js("return Math.max(...[...document.querySelectorAll('.dragdroppable-row')]"
                                ".map((row) => row.getBoundingClientRect().bottom));")
            resize(browser, int(bottom) + 24)
            time.sleep(2)
            browser.picture(pictures / f"{name.lower()}.png")
            print(f"{name}: {charts} charts drawn in {time.monotonic() - begin:.0f} s")
    finally:
        browser.close()
    return faults
