"""The settings of a camera: what is refused is told at its field, and what is kept stands in the files."""
from report import Missed


def settings(test):
    browser, report, node = test.browser, test.report, test.gym
    browser.open(test.recorders[2].origin + "/aim?camera=floor", "aim")
    words = browser.words()
    report.wait("the operator sees the cameras", 15, lambda: (browser.count("#camera-list li") == 1, browser.text("main")))
    browser.press("edit", "#camera-list")
    report.wait("a dialog has the values", 5, lambda: (browser.js(
        "return document.getElementById('setting-id')?.value;") == "floor", browser.text("body")))

    def put(name, value):
        browser.js("const field = document.getElementById('setting-' + arguments[0]); field.value = arguments[1];", name, value)

    def save():
        browser.press("save", "#camera-settings")
    put("width", "12")
    put("exposure", "bright")
    save()
    report.wait("what is refused is told at its field", 10, lambda: (
        "64" in (browser.text("#setting-width-told") or "") and "keep" in (browser.text("#setting-exposure-told") or ""),
        browser.text("#camera-settings")))
    report.check("and marked for screen readers", browser.js(
        "const field = document.getElementById('setting-width'); return field.getAttribute('aria-invalid') === 'true' && "
        "field.getAttribute('aria-describedby') === 'setting-width-told' && document.activeElement === field;"))
    report.check("nothing is kept then", not (node.folder / "conf.d/setup.toml").exists())
    put("width", "640")
    put("exposure", "keep")
    put("overlaps", "nowhere")
    save()
    report.wait("what only the whole configuration refuses is told as well", 10, lambda: (
        "nowhere" in (browser.text("#camera-settings [role=alert]") or ""), browser.text("#camera-settings")))
    put("overlaps", "")
    put("exposure", "8")
    with browser.expecting(r"net::ERR_", r"EventSource", r"status of 50"):
        save()
        report.wait("what is right is kept, and the node starts again", 20, lambda: (
            browser.text("#camera-status") == words["areas_saved"], browser.text("#camera-status")))
        report.wait("the node is back with it", 40, lambda: back(node))
        report.wait("and the page as well", 40, lambda: (not browser.text(".banner"), browser.text(".banner")))
    text = (node.folder / "conf.d/setup.toml").read_text()
    report.check("the file has it", "exposure = 8.0" in text and 'id = "floor"' in text, text)
    # A password closes the node soon, and an open page would go on asking.
    browser.open("about:blank", "aim")


def back(node):
    try:
        found = node.get("configuration/cameras")
    except (OSError, Missed) as error:
        # The node may be between two lives.
        return False, error
    return found["cameras"][0]["exposure"] == "8.0", found
