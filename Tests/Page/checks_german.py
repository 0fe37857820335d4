"""The pages in German: nothing that people read is left in English, and one line holds the navigation of a phone."""
import json
import pathlib
import re

import checks_pages

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORDS = {language: json.loads((ROOT / f"Sources/Node/Words/{language}.json").read_text()) for language in ("en", "de")}
# Words that stand in nearly every English sentence and in no German one.
ENGLISH = re.compile(r"\b(?:the|of|is|are|and|not|with|from|this|that|your|people|nobody|no|or|for|it|to|by|when|was)\b", re.I)
# What the node was told by its configuration, its history or its log, and what a German reads as it is.
OWN = ("#log", "code", "pre", "option[value^='/']")
READ = """
const hidden = [...document.querySelectorAll(arguments[0])];
const texts = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let node = walker.nextNode(); node; node = walker.nextNode()) {
  if (hidden.some((one) => one.contains(node)) || ['SCRIPT', 'STYLE'].includes(node.parentElement.tagName)) continue;
  if (node.textContent.trim()) texts.push(node.textContent.trim());
}
for (const element of document.querySelectorAll('[aria-label], [title], [placeholder], [data-head]')) {
  if (hidden.some((one) => one.contains(element))) continue;
  for (const name of ['aria-label', 'title', 'placeholder', 'data-head']) texts.push(element.getAttribute(name) ?? '');
}
return texts.filter(Boolean);
"""


def in_german(browser, wanted=True):
    browser.devtools("Network.enable", {})
    headers = {"Accept-Language": "de-DE,de;q=0.9"} if wanted else {}
    browser.devtools("Network.setExtraHTTPHeaders", {"headers": headers})


def english_words():
    """Every word of the English pages that German says in another way."""
    left = set()
    for section, words in WORDS["en"].items():
        if isinstance(words, dict) and section not in ("labels", "sentences"):
            left |= {one for key, one in words.items() if WORDS["de"][section][key] != one and len(one) > 3}
    return left - set(WORDS["de"]["page"].values())


def is_english(text, words):
    # A name of the gym's own, such as a camera's, may be in any language: the test's are single words.
    return text in words or len(ENGLISH.findall(text)) >= 2


def page(test, recorder, name, path, ready):
    browser, report = test.browser, test.report
    in_german(browser)
    try:
        checks_pages.take(test, test.recorders[recorder].origin, f"german_{name}", path, ready, [390, 1280], is_whole=True)
        browser.size(390, "dark")
        report.same(f"{name}: the page says its language", browser.js("return document.documentElement.lang;"), "de")
        words = english_words()
        left = [text for text in browser.js(READ, ", ".join(OWN)) if is_english(text, words)]
        report.check(f"{name}: nothing is left in English", not left, left)
        tops = browser.js("return [...document.querySelectorAll('nav a')].map((one) => one.getBoundingClientRect().top);")
        report.check(f"{name}: one line of a phone holds the navigation", len(set(tops)) <= 1, tops)
        browser.size(1280, "dark")
    finally:
        in_german(browser, False)


def front(test):
    drawn = "[...document.querySelectorAll('canvas')].some((canvas) => probe.lit(canvas) > 100)"
    page(test, 0, "live", "/", drawn)
    page(test, 0, "tv", "/tv", drawn)
    page(test, 0, "aim", "/aim", drawn)
    page(test, 0, "train", "/train?camera=floor", "document.querySelectorAll('#figures tbody tr').length > 2")
    browser, report = test.browser, test.report
    # The doctor's findings and advice are the longest sentences.
    found = "document.querySelectorAll('#findings li').length || (document.getElementById('check').disabled || " \
            "document.getElementById('check').click(), 0)"
    page(test, 0, "node", "/node", found)
    pairs = json.loads((ROOT / "Tests/Fixtures/sentences.json").read_text())
    in_german(browser)
    browser.open(test.recorders[0].origin + "/node", "node")
    translated = browser.wait_js("const { translated } = await import('/assets/sentences.js'); "
                                 "return arguments[0].map((pair) => translated(pair[0]));", pairs)
    report.same("the page translates as the node does", translated, [pair[1] for pair in pairs])
    in_german(browser, False)
    browser.size(390, "dark")
    browser.open(test.recorders[0].origin + "/", "live")
    report.wait("the navigation is there", 10, lambda: (browser.count("nav a") > 5, browser.text("body")))
    tops = browser.js("return [...document.querySelectorAll('nav a')].map((one) => one.getBoundingClientRect().top);")
    report.check("one line of a phone holds the navigation in English, too", len(set(tops)) == 1, tops)
    browser.size(1280, "dark")


def gym(test):
    page(test, 2, "workouts", "/workouts", "document.querySelectorAll('#past tbody tr').length > 0")
    page(test, 2, "learn", "/learn", "document.querySelector('#accuracy, #questions, main h1')")


def office(test):
    session = test.office.history("sessions", {"limit": 1})[0]["id"]
    page(test, 1, "history", "/history?last=4w", "document.querySelectorAll('#sessions tbody tr').length > 3")
    test.report.same("the charts write German numbers", test.browser.js(
        "return window.Chart && Chart.getChart('minutes').options.locale;"), "de-DE")
    page(test, 1, "session", f"/session?id={session}", "document.querySelectorAll('#sets tbody tr').length > 0")


def login(test):
    page(test, 1, "login", "/login", "document.querySelector('#password')?.checkVisibility()")
    page(test, 1, "member", "/member", "document.querySelector('input')?.checkVisibility()")
