"""Pictures of every page at the widths of phones, laptops, desktops and walls, dark and light, to look at."""
import time

import checks_corrections
from report import until

WIDTHS = [390, 1280, 1920]


def take(test, origin, name, path, ready, widths=WIDTHS, is_whole=False):
    """Opens a page once and takes its pictures, of what the screen shows or of the whole page; nothing may stick out at
    the side."""
    browser, report = test.browser, test.report
    browser.size(widths[0], "dark")
    browser.open(origin + path, name)
    seen = until(20, lambda: (browser.js(f"return Boolean({ready});"), browser.text("body")))
    report.check(f"{name}: the page is complete", *seen)
    # The strip and the counts of the live pages look like something after a moment.
    time.sleep(1)
    sizes, wide = {}, []
    for scheme in ("dark", "light"):
        for width in widths:
            browser.size(width, scheme)
            time.sleep(0.35)
            # Not innerWidth: a phone zooms out until a page that is too wide fits.
            over = browser.js("return document.documentElement.scrollWidth - arguments[0];", width)
            if over > 0:
                wide.append((width, scheme, over))
            file = test.pictures / f"{name}-{width}-{scheme}.png"
            sizes[file.name] = len(browser.picture(file, is_whole))
    report.check(f"{name}: nothing sticks out at the side of {len(sizes)} pictures", not wide, wide)
    empty = [file for file, size in sizes.items() if size < 4000]
    report.check(f"{name}: no picture is empty", not empty, sizes)
    browser.size(1280, "dark")


def pictures_of_front(test):
    test.pictures.mkdir(parents=True, exist_ok=True)
    for file in test.pictures.glob("*.png"):
        file.unlink()
    origin = test.recorders[0].origin
    drawn = "[...document.querySelectorAll('canvas')].some((canvas) => probe.lit(canvas) > 100)"
    take(test, origin, "live", "/", drawn)
    take(test, origin, "tv", "/tv", drawn, [*WIDTHS, 3840])
    take(test, origin, "aim", "/aim", drawn)
    evaluated = "document.querySelectorAll('#figures tbody tr').length > 2 && " + drawn
    take(test, origin, "train", "/train?camera=floor", evaluated, is_whole=True)
    take(test, origin, "node", "/node", "document.querySelectorAll('#figures dd').length > 5")


def pictures_of_gym(test):
    # With the handles of the first area.
    edited = "document.querySelector('#handles button') ?? document.querySelector('#areas button')?.click()"
    take(test, test.recorders[2].origin, "zones", "/aim?camera=floor", edited, is_whole=True)


def pictures_of_office(test):
    origin = test.recorders[1].origin
    session = checks_corrections.floor_session(test.office)["id"]
    take(test, origin, "history", "/history?last=4w", "document.querySelectorAll('#sessions tbody tr').length > 3")
    corrected = "document.querySelector('#sets .advice-line')"
    take(test, origin, "session", f"/session?id={session}", corrected, is_whole=True)
    take(test, origin, "login", "/login", "document.querySelector('#password')?.checkVisibility()")


def list_pictures(folder):
    files = sorted(folder.glob("*.png"))
    print(f"== {len(files)} pictures in {folder}")
    for name in dict.fromkeys(file.name.split("-")[0] for file in files):
        print("    " + " ".join(file.name for file in files if file.name.startswith(name + "-")))
