"""Counts what was checked, and waits with a deadline."""
import sys
import time
import traceback


class Missed(Exception):
    """Something did not happen. The text says what was expected and what was seen."""


class Counted(Missed):
    """The same, and the report has it already."""


class Report:
    def __init__(self):
        self.checks, self.failures, self.began = 0, [], time.monotonic()

    def title(self, words):
        print(f"== {words} ({time.monotonic() - self.began:.0f} s)", flush=True)

    def check(self, name, is_right, seen=""):
        """Counts a check; `seen` is printed where it failed."""
        self.checks += 1
        print(f"    {'ok  ' if is_right else 'FAIL'} {name}" + ("" if is_right else f": {shown(seen)}"), flush=True)
        if not is_right:
            self.failures.append(name)
        return bool(is_right)

    def same(self, name, found, expected):
        """Counts a check that two values are equal, and shows where they begin to differ."""
        found, expected = shown(found, 10**9), shown(expected, 10**9)
        at = next((n for n, (a, b) in enumerate(zip(found, expected)) if a != b), min(len(found), len(expected)))
        part = slice(max(0, at - 60), at + 120)
        return self.check(name, found == expected, f"expected …{expected[part]}, seen …{found[part]}")

    def wait(self, name, seconds, look):
        """Counts a check that becomes right in time: `look` returns whether it is, and what it saw.

        Returns what was seen last. Throws `Counted` after the deadline, since what follows would be meaningless.
        """
        seen = until(seconds, look)
        if not self.check(name + f" within {seconds} s", seen[0], seen[1]):
            raise Counted(name)
        return seen[1]

    def part(self, words, body, *arguments):
        """Runs a part of the test. An error in it fails once, and the next part begins."""
        self.title(words)
        try:
            return body(*arguments)
        except Counted:
            pass
        except Missed as error:
            self.check(words, False, error)
        except Exception as error:
            traceback.print_exc(limit=-3, file=sys.stdout)
            self.check(f"{words}: it ran to its end", False, error)
        return None

    def end(self):
        for name in self.failures:
            print(f"failed: {name}")
        print(f"== done ({time.monotonic() - self.began:.0f} s)")
        print(f"test-page: {self.checks} checks, {len(self.failures)} failed")
        return 1 if self.failures or not self.checks else 0


def until(seconds, look, pause=0.15):
    """Looks until it is right or the time is over; at least once."""
    deadline = time.monotonic() + seconds
    while True:
        seen = look()
        if seen[0] or time.monotonic() > deadline:
            return seen
        time.sleep(pause)


def shown(value, length=400):
    text = str(value).replace("\n", " ")
    return text if len(text) <= length else text[:length] + " …"
