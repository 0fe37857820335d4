"""What happens now on the other pages: the wall, and the page for aiming."""
import re

from checks_live import label_name, person, steady_count
from report import until


def wall(test):
    browser, report, node = test.browser, test.report, test.front
    browser.open(test.recorders[0].origin + "/tv", "tv")
    tile_words = "return [...document.querySelectorAll('#tiles > *')].map((tile) => ({ place: " \
        "tile.querySelector('.tile-place').textContent, label: tile.querySelector('.tile-label').textContent, " \
        "count: tile.querySelector('.tile-count').textContent, lit: probe.lit(tile.querySelector('canvas')) }));"

    def tiles():
        return browser.js(tile_words)
    report.wait("the wall has a tile for everybody in view", 20, lambda: (
        len([tile for tile in tiles() if tile["lit"] > 100]) >= 3, tiles()))
    words = browser.words()

    def tile():
        return next((one for one in tiles() if one["place"].startswith("Floor")), {"count": None, "label": None})
    report.wait("the wall's count is that of the API", 45, lambda: steady_count(node, "floor", lambda: tile()["count"]))

    def same_label():
        one, shown = person(node, "floor"), tile()
        return one and one.get("set") and shown["label"] == label_name(words, one["set"]["label"]), (one, shown)
    report.wait("and so is its label", 20, same_label)
    report.check("no percentage is on the wall, where it reads like a mark", "%" not in browser.text("main"),
                 browser.text("main"))
    size = browser.js("return Math.min(...[...document.querySelectorAll('.tile-count')].map((e) => "
                      "parseFloat(getComputedStyle(e).fontSize)));")
    report.check(f"the count is large ({size:.0f} pixels at 1280)", size >= 60, size)
    for width in (390, 1024, 1280, 1920):
        browser.size(width, "dark")
        report.check(f"six exercises and the line below them are seen whole at {width} pixels", *board(browser))
    # The browser that prefers light pages gets a dark wall, too.
    browser.size(1280, "light")
    dark = browser.js("return getComputedStyle(document.body).backgroundColor;")
    report.check("the wall is dark for everybody", sum(map(int, re.findall(r"\d+", dark)[:3])) < 120, dark)
    browser.size(1280, "dark")


def board(browser):
    """Whether the board of a long day ends above the screen's edge, and each name has a line."""
    seen = browser.js(
        "const list = document.getElementById('board'), more = document.getElementById('board-more');"
        "const one = list.querySelector('li');"
        "list.replaceChildren(...Array.from({ length: 6 }, () => one.cloneNode(true)));"
        "more.textContent = 'and 12 more';"
        "const lines = [...list.querySelectorAll('.label')].map((name) => name.getBoundingClientRect().height"
        " / parseFloat(getComputedStyle(name).fontSize));"
        "const edges = [...list.children, more].map((line) => line.getBoundingClientRect());"
        "return { below: Math.max(...edges.map((edge) => edge.bottom)) - innerHeight,"
        " beside: Math.max(...edges.map((edge) => edge.right)) - innerWidth, lines: Math.max(...lines) };")
    return seen["below"] <= 0 and seen["beside"] <= 0 and seen["lines"] < 2, seen


def aim(test):
    browser, report, node = test.browser, test.report, test.front
    browser.open(test.recorders[0].origin + "/aim?camera=floor", "aim")
    report.wait("the page for aiming draws the person", 20, lambda: (
        browser.js("return probe.lit(document.getElementById('stage'));") > 100, browser.text("main")))
    found = until(10, lambda: (lambda one: (one and one["people"], one))(
        browser.wait_js("return probe.sample(document.getElementById('stage'), 'floor');")))[1]
    report.check("where the event says", found and not found["missing"] and not found["stray"], found)
    status, _, text = node.request("GET", "/api/v1/cameras/floor/aim")
    report.check("the API tells how the camera is aimed", status == 200, (status, text))
    report.wait("the page gives advice, joints and exercises", 10, lambda: (
        browser.count("#advice li") and browser.count("#joints tbody tr") >= 5 and browser.count("#exercises li") >= 4,
        (browser.text("#advice"), browser.text("#joints"), browser.text("#exercises"), browser.text(".banner"))))
    middle = browser.js("return [...document.querySelectorAll('#joints tbody tr')].map((row) => [...row.cells])"
                        ".filter((cells) => cells.some((cell) => cell.colSpan > 1)).map((cells) => cells[0].textContent);")
    report.check("nose and neck belong to neither side", "Nose" in middle and not {"Eye", "Knee"} & set(middle), middle)
    report.check("and no pictures are offered, as they are not allowed", browser.js(
        "return document.getElementById('pictures').hidden && document.getElementById('picture').hidden;"))
