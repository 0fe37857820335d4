"""Zones and masks: drawn on the page for aiming, kept beside the configuration, and carried by what is recognised."""
import tomllib

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from checks_access import cookie
from checks_history import figure, rows_of
from checks_live import CARD, person
from report import until

RACK = "rack-1"
STAGE = "document.getElementById('stage')"
# The corners of the area that is edited, in thousandths of the picture, as its handles stand.
CORNERS = ("return [...document.querySelectorAll('#handles .handle:not(.middle)')]"
           ".map(({ style }) => [style.left, style.top].map((share) => Math.round(10 * parseFloat(share))));")


def corners(browser):
    return browser.js(CORNERS)


def handle(browser, number):
    return browser.driver.find_elements(By.CSS_SELECTOR, "#handles button")[number]


def drag(browser, number, across, down):
    """Drags a handle with the pointer, by thousandths of the picture."""
    browser.js(f"{STAGE}.scrollIntoView({{ block: 'center' }});")
    width, height = browser.js(
        "const { width, height } = document.getElementById('handles').getBoundingClientRect(); return [width, height];")
    (ActionChains(browser.driver, duration=50).move_to_element(handle(browser, number)).click_and_hold()
     .move_by_offset(round(across / 1000 * width), round(down / 1000 * height)).release().perform())


def rename(browser, name):
    field = browser.find("#areas input")
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys(name)


def areas(node, own=None):
    told = node.get("cameras/floor/areas", own)
    return {kind: told[kind] for kind in ("zones", "masks")}


def shares(thousandths):
    return [[share / 1000 for share in corner] for corner in thousandths]


def seen_on_aim(browser):
    return browser.js(f"return probe.lit({STAGE});") > 100 and not browser.text(".banner")


def open_aim(test):
    browser, report = test.browser, test.report
    browser.open(test.recorders[2].origin + "/aim?camera=floor", "aim")
    report.wait("the page for aiming draws the person", 20, lambda: (seen_on_aim(browser), browser.text("main")))


def draw(test):
    """A zone around the feet and a mask in a corner, with pointer and keys."""
    browser, report, node = test.browser, test.report, test.gym
    open_aim(test)
    words = browser.words()
    report.check("there are no areas at first, and the page says so", areas(node) == {"zones": [], "masks": []}
                 and browser.text("#area-status") == words["no_areas"], (areas(node), browser.text("#area-status")))
    browser.press("add_zone", "#area-tools")
    before = corners(browser)
    report.check("a new zone has four corners to drag", len(before) == 4, before)
    drag(browser, 2, 70, 110)
    report.check("a corner follows the pointer, the others stay", near(corners(browser), [
        *before[:2], [before[2][0] + 70, before[2][1] + 110], before[3]]), (before, corners(browser)))
    zone = corners(browser)
    handle(browser, 3).send_keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ARROW_LEFT)
    handle(browser, 3).send_keys(Keys.SHIFT, Keys.ARROW_DOWN)
    zone[3] = [zone[3][0] - 10, zone[3][1] + 70]
    report.same("another one follows the arrow keys, with Shift in longer steps", corners(browser), zone)
    report.same("that it is not saved is said", browser.text("#area-status"), words["not_saved"])
    refused(test)
    rename(browser, RACK)
    browser.press("add_mask", "#area-tools")
    before = corners(browser)
    drag(browser, 4, -345, -345)
    mask = corners(browser)
    report.check("the middle moves the whole area", near(mask, [[x - 345, y - 345] for x, y in before]), (before, mask))
    save(test, [zone], [mask])
    kept = tomllib.loads((node.folder / "conf.d" / "zones.toml").read_text())
    expected = {"zone": [{"camera": "floor", "name": RACK, "corners": shares(zone)}],
                "mask": [{"camera": "floor", "mirror": False, "corners": shares(mask)}]}
    report.check("and so does the file beside the configuration", kept == expected, (kept, expected))


def near(found, expected):
    """A pixel of the screen is up to three thousandths of the picture."""
    return len(found) == len(expected) and all(
        abs(a - b) <= 4 for one, other in zip(found, expected) for a, b in zip(one, other))


def refused(test):
    browser, report, node = test.browser, test.report, test.gym
    drawn = corners(browser)
    rename(browser, "Rack 1!")
    browser.find("#areas input").send_keys(Keys.TAB)
    report.wait("a name becomes one that the node takes", 5, lambda: (
        (lambda name: (name == RACK, name))(browser.js("return document.querySelector('#areas input').value;"))))
    rename(browser, "!!!")
    with browser.expecting(r"status of 400"):
        browser.press("save_areas", "#area-tools")
        report.wait("a name that is none is refused with a sentence", 5, lambda: (
            "!!!" in (browser.text("#area-status") or "") and browser.text("#area-status").endswith("."),
            browser.text("#area-status")))
    report.check("the drawing stays, with its name", corners(browser) == drawn and browser.js(
        "return document.querySelector('#areas input').value;") == "!!!", (drawn, corners(browser)))
    report.check("and nothing is kept", areas(node)["zones"] == [] and not (node.folder / "conf.d").exists(),
                 areas(node))


def save(test, zones, masks):
    """Saves, and waits until the node is back with the areas; the page must come back by itself."""
    browser, report, node = test.browser, test.report, test.gym
    words = browser.words()
    browser.js("window.marker = 'not loaded again'; probe.events.state = 0;")
    with browser.expecting(r"net::ERR_", r"EventSource", r"status of 50"):
        browser.press("save_areas", "#area-tools")
        report.wait("the page says that it is saved and that the node starts again", 10, lambda: (
            browser.text("#area-status") == words["areas_saved"], browser.text("#area-status")))
        report.wait("the node is back, and the page as well", 40, lambda: (
            browser.js("return probe.events.state > 0;") and not browser.text(".banner")
            and node.get("state")["cameras"][0]["state"] == "online", browser.text(".banner")))
    report.check("without being loaded again, in the same process", browser.js("return window.marker;")
                 == "not loaded again" and node.process.poll() is None)
    expected = {"zones": [{"name": RACK, "corners": shares(zone)} for zone in zones],
                "masks": [{"corners": shares(mask)} for mask in masks]}
    report.check("the API tells what was drawn", areas(node) == expected, (areas(node), expected))


def live(test):
    browser, report, node = test.browser, test.report, test.gym
    browser.open(test.recorders[2].origin + "/", "live")
    report.wait("the live page draws the person", 20, lambda: (
        bool(browser.js("return probe.poses.floor?.people.length;")), browser.text("main")))
    drawn = areas(node)
    canvas = f"({CARD}).querySelector('canvas')"

    def outlines():
        shown = [browser.js(f"return probe.outlined({canvas}, arguments[1], probe.poses.floor);", "Floor",
                            one["corners"]) for one in drawn["zones"] + drawn["masks"]]
        return shown[0] > 0.95 and shown[1] > 0.5, shown
    report.wait("the live page outlines the zone, and the mask with dashes", 15, outlines)
    # The same shape further inside is no line.
    inner = browser.js(f"return probe.outlined({canvas}, arguments[1], probe.poses.floor, 0.8);", "Floor",
                       drawn["zones"][0]["corners"])
    report.check("and nothing else", inner < 0.5, inner)
    report.wait("the state says in which zone the person is", 20, lambda: (
        (lambda one: (one and one.get("zone") == RACK, one))(person(node, "floor"))))
    report.wait("a set has been finished there", 40, lambda: (
        (lambda one: (one and len(one["sets"]) > 0, one))(person(node, "floor"))))


def masked(test):
    """A mask over everything: nobody is seen any more, and the open session ends."""
    browser, report, node = test.browser, test.report, test.gym
    open_aim(test)
    zone, mask = (areas(node)[kind][0]["corners"] for kind in ("zones", "masks"))
    seen = until(5, lambda: (node.get("state")["cameras"][0]["people"] > 0, node.get("state")["cameras"]))
    report.check("somebody is in view before", *seen)
    with_keys(test)
    browser.press("edit", "#areas li:last-child")
    whole = [[0, 0], [1000, 0], [1000, 1000], [0, 1000]]
    for number, ((x, y), to) in enumerate(zip(corners(browser), whole)):
        # A little further than the edge.
        drag(browser, number, *(1.01 * end - 5 - start for start, end in zip((x, y), to)))
    report.same("the mask covers everything", corners(browser), whole)
    save(test, [[[round(1000 * share) for share in corner] for corner in zone]], [whole])
    seen = []

    def look():
        camera = node.get("state")["cameras"][0]
        seen.append((camera["time"], camera["people"]))
        moments = {moment for moment, _ in seen if moment}
        return bool(moments) and max(moments) - min(moments) > 3000, seen[-5:]
    report.wait("pictures come in", 20, look)
    report.check("and nobody is in view", not any(people for _, people in seen), seen)


def with_keys(test):
    """The list keeps the focus, and what is typed can be saved at once."""
    browser, report = test.browser, test.report
    words = browser.words()
    focus = "const here = document.activeElement; return here.value || here.textContent;"
    disabled = "return document.querySelector('#area-tools .primary').disabled;"
    before = browser.js(disabled)
    browser.find("#areas input").send_keys("x", Keys.BACKSPACE)
    report.same("there is something to save as soon as somebody types", (before, browser.js(disabled)), (True, False))
    browser.find("#areas input").send_keys(Keys.ENTER)
    found = [browser.js(focus)]
    for key in ("edit", "edit_done"):
        browser.find("#areas li button").send_keys(Keys.ENTER)
        found.append(browser.js(focus))
    report.same("and the focus stays where it was", found, [RACK, words["edit_done"], words["edit"]])


def history(test):
    browser, report, node = test.browser, test.report, test.gym
    sets = node.history("sets", {})
    inside = [one for one in sets if one.get("zone") == RACK]
    report.check("the sets in the zone carry it", inside, sets)
    sessions = [one for one in node.history("sessions", {}) if one.get("zone") == RACK]
    report.check("and so does their session, which the new start has ended", sessions
                 and sessions[0].get("end_reason") == "stopped", sessions)
    report.check("what was before the zone has none", len(node.history("sessions", {})) > len(sessions))
    for table, expected in (("sets", inside), ("sessions", sessions)):
        report.same(f"'spotter history {table} --zone' gives those", node.history(table, {"zone": RACK}), expected)
        report.same("and another zone is not known", node.request("GET", f"/api/v1/history/{table}?zone=rack-2")[0], 404)
    zones = node.history("zones", {})
    report.check("'spotter history zones' sums them up", [
        (one["zone"], one["camera"], one["sets"], one["reps"]) for one in zones]
        == [(RACK, "floor", len(inside), sum(one["reps"] for one in inside))], (zones, inside))
    for query in ("", f"?zone={RACK}"):
        chosen = {"zone": query[6:]} if query else {}
        report.same(f"GET history/zones{query} is the same", node.get("history/zones" + query),
                    node.history("zones", chosen))
    browser.open(test.recorders[2].origin + "/history", "history")
    report.wait("the history's page has the use of the zone", 15, lambda: (
        browser.count("#zones tbody tr") == 1, browser.text("main")))
    shown = rows_of(browser, "#zones")[0]
    report.check("with the figures of the command", shown[:2] == [RACK, "Floor"] and [
        figure(cell) for cell in shown[3:7]] == [zones[0]["sets"], zones[0]["reps"], 1, zones[0]["uses"]],
        (shown, zones))
    browser.js("const zone = document.querySelector('#filters [name=zone]'); zone.value = arguments[0]; "
               "zone.dispatchEvent(new Event('change', { bubbles: true }));", RACK)
    report.wait("its filter leaves the zone's sessions", 10, lambda: (
        [row[2] for row in rows_of(browser, "#sessions")] == [f"Floor · {RACK}"], rows_of(browser, "#sessions")))
    for span, fields in (("days", 2), ("all", 0)):
        browser.js("const { last } = document.forms.filters; last.value = arguments[0]; "
                   "last[0].form.dispatchEvent(new Event('change', { bubbles: true }));", span)
        report.wait(f"{span}: the date fields follow the span", 10, lambda: (
            browser.count("#days input") == fields and browser.count("#sessions tbody tr") == 1, browser.text("main")))
        report.check("and the charts, which have no zone, stay hidden", browser.count("#charts, #totals") == 0)


def viewer(test):
    """As the viewer who is signed in at the gym."""
    browser, report, node = test.browser, test.report, test.gym
    browser.open(test.recorders[2].origin + "/aim?camera=floor", "aim")
    words = browser.words()
    report.wait("a viewer sees the list of zones and masks", 15, lambda: (
        [words["mask"], RACK] == sorted(browser.js(
            "return [...document.querySelectorAll('#areas li')].map((one) => one.textContent);")),
        browser.text("main")))
    report.check("without a button to change them", browser.count(
        "#areas button, #areas input, #area-tools button, #handles button") == 0, browser.text("main"))
    kept = areas(node, cookie(browser))
    status, _, text = node.request("POST", "/api/v1/cameras/floor/areas", {"zones": [], "masks": []}, cookie(browser))
    report.check("nor does the API obey a viewer", status == 403 and areas(node, cookie(browser)) == kept != {
        "zones": [], "masks": []}, (status, text))
