"""A camera's pictures while it is aimed: for the operator, where they are allowed, until they are stopped."""
import time

from checks_access import cookie
from checks_zones import open_aim
from recorder import pictures_in

PICTURE = "/api/v1/cameras/floor/picture"
SHOWN = "return document.getElementById('picture').naturalWidth;"


def pictures(test):
    browser, report, node = test.browser, test.report, test.gym
    open_aim(test)
    words = browser.words()
    button = "#show-pictures"
    report.same("the operator is offered pictures", browser.text(button), words["pictures_show"])
    report.check("but none is shown or sent before", browser.count("#picture") == 0
                 and node.request("GET", PICTURE)[0] == 409 and not pictures_in(test.recorders[2].answers()))
    # The first picture takes a moment.
    with browser.expecting(r"status of 404"):
        browser.click(button)
        report.wait("the picture appears under the skeleton", 15, lambda: (
            browser.js(SHOWN) > 0 and browser.count("#picture") == 1, browser.text("#pictures-told")))
    width, height, held = browser.js(
        "const image = document.getElementById('picture'); const canvas = document.getElementById('stage'); "
        "const [a, b] = [image, canvas].map((one) => one.getBoundingClientRect()); const covers = "
        "['left', 'top', 'width', 'height'].every((side) => Math.abs(a[side] - b[side]) < 2); "
        "const [first] = document.elementsFromPoint(a.x + a.width / 2, a.y + a.height / 2)"
        ".filter((one) => [image, canvas].includes(one)); "
        "return [image.naturalWidth, image.naturalHeight, covers && first === canvas];")
    report.check("with the camera's shape, and the canvas above it", (width, height) == (640, 480) and held,
                 (width, height, held))
    addresses = set()

    def changes():
        addresses.add(browser.js("return document.getElementById('picture').src;"))
        return len(addresses) >= 3, addresses
    report.wait("it changes", 10, changes)
    report.check("the search for pictures finds it on the wire", "JPEG" in pictures_in(test.recorders[2].answers()))
    status, headers, _ = node.request("GET", PICTURE)
    report.check("and nobody may keep it", status == 200 and "no-store" in headers.get("Cache-Control", ""),
                 (status, str(headers)))
    report.check("the state says until when", node.get("state")["cameras"][0].get("pictures_until", 0)
                 > 1000 * time.time(), node.get("state")["cameras"][0])
    report.check("and the log that they are shown", "pictures" in node.log.read_text())
    # The page may still have asked for one.
    with browser.expecting(r"status of 409"):
        browser.click(button)
        report.wait("the button stops them", 5, lambda: (
            browser.count("#picture") == 0 and browser.text(button) == words["pictures_show"],
            browser.text("#pictures")))
        report.wait("and then the node refuses them", 5, lambda: (
            (lambda answer: (answer[0] == 409, answer))(node.request("GET", PICTURE)[::2])))
        time.sleep(0.7)
    report.check("nothing of them is left on the page", not browser.js(SHOWN), browser.js(SHOWN))


def never(test):
    """On the node that allows none."""
    browser, report, node = test.browser, test.report, test.front
    browser.open(test.recorders[0].origin + "/aim?camera=floor", "aim")
    report.wait("where pictures are not allowed, none are offered", 15, lambda: (
        browser.count("#joints tbody tr") > 3 and browser.count("#pictures, #picture") == 0, browser.text("main")))
    answers = [node.request("POST", "/api/v1/cameras/floor/pictures", {})[0], node.request("GET", PICTURE)[0]]
    report.same("and the API refuses the operator", answers, [403, 403])


def stopped(test):
    # The page that follows the node would complain.
    test.browser.open("about:blank", "aim")
    test.report.same("SIGTERM ends the node with status 0", test.gym.stop(), 0)


def viewer(test):
    """As the viewer who is signed in at the gym, on the page for aiming."""
    browser, report, node = test.browser, test.report, test.gym
    report.check("a viewer is offered no pictures", browser.count("#areas li") > 0
                 and browser.count("#pictures, #picture") == 0, browser.text("main"))
    own = cookie(browser)
    answers = [node.request("POST", "/api/v1/cameras/floor/pictures", {}, own)[0],
               node.request("GET", PICTURE, cookie=own)[0]]
    report.same("and gets none from the API", answers, [403, 403])
