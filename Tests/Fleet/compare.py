"""Compares what the nodes made with what is stored, row by row."""
import zoneinfo
from dataclasses import dataclass, field
from datetime import datetime


@dataclass
class Result:
    """What does not fit; each list holds descriptions for the reader."""
    stored: int = 0
    missing: list = field(default_factory=list)
    wrong: list = field(default_factory=list)
    twice: int = 0
    # What no node made.
    foreign: list = field(default_factory=list)
    # What was deleted and is there all the same.
    undeleted: list = field(default_factory=list)
    sums: list = field(default_factory=list)
    unpromised: int = 0

    @property
    def is_good(self):
        return not (self.missing or self.wrong or self.twice or self.foreign or self.undeleted or self.sums)


def milliseconds(moment):
    return round(datetime.fromisoformat(moment.replace("Z", "+00:00")).timestamp() * 1000)


def actions_of(body):
    return {action["label"]: (action["frames"], round(action["seconds"] * 1000), action.get("reps"))
            for action in body["actions"]}


def sets_of(body):
    return {one["number"]: (one["label"], one["reps"]) for one in body.get("sets") or []}


def differences(kind, body, row):
    """The values of a stored row that differ from the record's body."""
    if kind == "gap":
        return []
    if kind == "absence":
        pairs = [
            ("camera", body["camera"], row.camera), ("start", milliseconds(body["start"]), row.started),
            ("end", body.get("end") and milliseconds(body["end"]), row.ended), ("reason", body["reason"], row.reason),
            ("final", "end" in body, row.final)]
        return _unequal(pairs)
    pairs = [
        ("camera", body["camera"], row.camera), ("start", milliseconds(body["start"]), row.started),
        ("end", milliseconds(body["end"]), row.ended), ("actions", actions_of(body), row.actions)]
    if kind == "session":
        pairs += [
            ("end_reason", body.get("end_reason"), row.reason), ("zone", body.get("zone"), row.zone),
            ("sets", sets_of(body), row.sets),
            ("excluded_frames", sum(body["excluded_frames"].values()), row.excluded)]
    return _unequal(pairs)


def _unequal(pairs):
    return [f"{name}: {is_stored} instead of {made}" for name, made, is_stored in pairs if made != is_stored]


def compare(truth, stored, deleted):
    """`deleted` are the (node, id) of sessions that were deleted at their nodes."""
    result = Result()
    rows, result.twice = stored.rows()
    gone = stored.tombstones()
    matched = {}
    for key, item in truth.items.items():
        row = rows.pop(key, None)
        if item.is_deleted:
            _check_deleted(result, item, row, gone, stored)
        else:
            _check(result, item, row, matched)
    result.foreign += [f"{kind} {identity} of {node}" for node, kind, identity in rows]
    for node, session in deleted:
        item = truth.items.get((node, "session", session))
        if not item or not item.is_deleted:
            result.undeleted.append(f"{session} of {node} is still in the node's own log")
    if not stored.wait_for_sums():
        result.sums.append("the sums of some days were not recomputed")
    _compare_sums(result, expected_sums(truth, matched), stored.sums())
    return result


def _check(result, item, row, matched):
    name = f"{item.kind} {item.id} of {item.node}"
    if row is None:
        if item.promised:
            result.missing.append(f"{name}, revision {item.promised}")
        else:
            result.unpromised += 1
        return
    if row.rev < item.promised:
        result.missing.append(f"{name}: revision {row.rev} instead of {item.promised}")
        return
    if row.rev not in item.bodies:
        result.wrong.append(f"{name}: revision {row.rev}, which nobody made")
        return
    found = [(body, differences(item.kind, body, row)) for body in item.bodies[row.rev]]
    best = min(found, key=lambda one: len(one[1]))
    if best[1]:
        result.wrong.append(f"{name}, revision {row.rev}: {'; '.join(best[1])}")
    else:
        result.stored += 1
    matched[(item.node, item.kind, item.id)] = best[0]


def _check_deleted(result, item, row, gone, stored):
    name = f"{item.id} of {item.node}"
    if row is not None:
        result.undeleted.append(f"{name} is still stored")
    elif (item.node, item.id) not in gone:
        result.missing.append(f"the deletion of {name}")
    elif stored.rejected(item.id):
        result.undeleted.append(f"{name} is still named by a rejected message")
    else:
        result.stored += 1


def expected_sums(truth, matched):
    """exercise_day as it follows from the sessions: a session belongs to the day on which it began, in its gym's time
    zone."""
    zones = {life.site: zoneinfo.ZoneInfo(life.time_zone) for life in truth.lives}
    sums = {}
    for (node, kind, identity), body in matched.items():
        if kind != "session":
            continue
        site = truth.items[(node, kind, identity)].site
        day = datetime.fromtimestamp(milliseconds(body["start"]) / 1000, zones[site]).strftime("%Y-%m-%d")
        actions, sets = actions_of(body), sets_of(body)
        labels = set(actions) | {label for label, _ in sets.values()}
        for label in labels:
            frames, time_ms, reps = actions.get(label, (0, 0, 0))
            before = sums.get((site, day, label), (0, 0, 0, 0))
            count = sum(1 for one, _ in sets.values() if one == label)
            gain = (1, count, reps or 0, time_ms)
            sums[(site, day, label)] = tuple(a + b for a, b in zip(before, gain))
    return sums


def _compare_sums(result, expected, found):
    for key in sorted(expected.keys() | found.keys()):
        made, is_stored = expected.get(key), found.get(key)
        # The view's seconds are rounded numbers.
        fits = made and is_stored and made[:3] == tuple(is_stored[:3]) and abs(made[3] - is_stored[3]) <= 100
        if not fits:
            result.sums.append(f"{' '.join(key)}: {is_stored} instead of {made}")
