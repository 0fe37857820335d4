"""Who goes where and does what, from a seed, so that nobody walks through anything or anybody."""
import math
from dataclasses import dataclass, field
import numpy as np
from activities import CrowdTimeline
from exercises import WALKING_SPEED

TURN_SECONDS = .45
KEEP_APART = .62                # metres between the middles of two people
CHECKED_EVERY = .2              # seconds
HIDDEN_SPOTS = .15              # the share of the spots behind something that somebody takes anyway
PUSH_UP_HEADINGS = (-75, 75)


@dataclass
class Plan:
    """Activities of a timeline, and stops: (time, x, y, heading) between which a person moves evenly."""
    activities: list = field(default_factory=list)
    stops: list = field(default_factory=list)
    time: float = 0.0
    home: np.ndarray = None     # of somebody who stays: their place

    def stay(self, name, amount, seconds):
        """Does something on the spot."""
        self.activities.append((name, amount))
        self.time += seconds
        self.stops.append((self.time, *self.stops[-1][1:]))

    def walk(self, x, y, heading):
        """Walks straight to a place and turns there."""
        _, x0, y0, _ = self.stops[-1]
        seconds = math.dist((x0, y0), (x, y)) / WALKING_SPEED
        way = math.degrees(math.atan2(x - x0, -(y - y0)))
        self.stops.append((self.time + 1e-3, x0, y0, way))
        self.activities.append(('walk', seconds))
        self.time += seconds
        self.stops.append((self.time, x, y, way))
        self.stops.append((self.time + 1e-3, x, y, heading))

    def way(self, moments):
        """x and y at these moments."""
        times, x, y, _ = np.array(self.stops).T
        return np.stack([np.interp(moments, times, x), np.interp(moments, times, y)], -1)

    def place(self, time):
        """x, y and heading; turns take a while and go the short way."""
        times = [stop[0] for stop in self.stops]
        x, y = self.way(time)
        moments = np.linspace(time - TURN_SECONDS / 2, time + TURN_SECONDS / 2, 7)
        turned = [self._heading(times, moment) for moment in moments]
        sine, cosine = (np.mean([f(math.radians(one)) for one in turned]) for f in (math.sin, math.cos))
        return float(x), float(y), math.degrees(math.atan2(sine, cosine))

    def _heading(self, times, time):
        index = max(0, int(np.searchsorted(times, time, 'right')) - 1)
        return self.stops[min(index, len(self.stops) - 1)][3]


class Planner:
    """Makes one plan after the other; each keeps clear of the earlier ones."""

    def __init__(self, hall, camera, seconds, random):
        self.hall, self.camera, self.seconds, self.random = hall, camera, seconds, random
        self.plans = []

    def add(self, inside, hides):
        """A plan of somebody who is in the hall at the start, or enters; `hides` asks for a stop out of sight."""
        for attempt in range(400):
            plan = self._tried(inside, hides and attempt < 300)
            if plan and not any(_meet(plan, other, self.seconds) for other in self.plans):
                break
        else:
            raise RuntimeError('found no way through the hall for everybody; take another seed')
        self.plans.append(plan)
        return plan

    def _tried(self, inside, hides):
        """A plan, or None when a way was blocked."""
        plan = self._begun(inside)
        hidden = not hides or not self.hall.hiding_places
        while plan.time < self.seconds:
            is_free = self._goes_on(plan) if hidden else self._hides(plan)
            if not is_free:
                return None
            hidden = True
        return plan

    def _begun(self, inside):
        plan = Plan()
        if inside:
            x, y, heading = self._spot()
            plan.stops.append((0.0, x, y, heading))
            self._do_something(plan)
        else:
            plan.stops.append((0.0, *self._outside(), 0))
            plan.stay('idle', None, self.random.uniform(.05, self.seconds * .3))
            plan.activities[-1] = ('idle', plan.time)
        return plan

    def _hides(self, plan):
        """Waits out of sight."""
        random = self.random
        place = self.hall.hiding_places[random.integers(len(self.hall.hiding_places))]
        heading = random.uniform(-180, 180)
        if not self._go(plan, *(place + random.uniform(-.08, .08, 2)), heading):
            return False
        seconds = random.uniform(.3, min(9, self.seconds * .4))
        plan.stay('idle', seconds, seconds)
        return True

    def _goes_on(self, plan):
        """Leaves, sits down, or exercises elsewhere."""
        choice = self.random.random()
        if choice < .12 and plan.time > self.seconds * .4:
            if not self._go(plan, *self._outside(), 0):
                return False
            plan.stay('idle', self.seconds, self.seconds)
        elif choice < .27 and self.hall.seats:
            if not self._go(plan, *self.hall.seats[self.random.integers(len(self.hall.seats))]):
                return False
            seconds = self.random.uniform(3, 8)
            plan.stay('idle', .7, .7)
            plan.stay('sit', seconds, seconds)
            plan.stay('idle', .7, .7)
        else:
            if not self._go(plan, *self._spot()):
                return False
            self._do_something(plan)
        return True

    def _go(self, plan, x, y, heading):
        """Walks there if the way is free."""
        start = np.array(plan.stops[-1][1:3])
        goal = np.array([x, y])
        steps = max(2, int(np.linalg.norm(goal - start) / .2))
        # Beside a bench or behind a pillar one stands closer to things than one walks.
        points = start + (goal - start) * np.linspace(0, 1, steps + 1)[:, None]
        ends = np.minimum(np.linalg.norm(points - start, axis=1), np.linalg.norm(points - goal, axis=1)) < .5
        if self.hall.blocked(points[ends], .12) or self.hall.blocked(points[~ends], .38):
            return False
        plan.walk(x, y, heading)
        return True

    def _spot(self):
        """Somewhere to exercise: in the picture and free, with a heading."""
        while True:
            y = self.random.uniform(6.2, 17) if self.random.random() < .8 else self.random.uniform(6.2, 9)
            x = self.random.uniform(-1, 1) * min(self.camera.half_width(y) - .9, 8)
            hidden = self.hall.hides((x, y), self.camera.location) and self.random.random() > HIDDEN_SPOTS
            if not self.hall.blocked((x, y), .7) and not hidden:
                return x, y, self.random.choice([0, 0, 35, -35, 60, -60, 90, -90, 150]) + self.random.uniform(-15, 15)

    def _outside(self):
        """Beside the picture."""
        y = self.random.uniform(6.5, 11)
        return self.random.choice([-1, 1]) * (self.camera.half_width(y) + self.random.uniform(.9, 1.4)), y

    def _do_something(self, plan):
        random = self.random
        seconds = random.uniform(.25, .6) * min(self.seconds, 16)
        name = random.choice(['squat', 'lunge', 'jumping_jack', 'burpee', 'push_up', 'idle'],
                             p=[.22, .18, .2, .13, .12, .15])
        period = dict(squat=2.4, lunge=2.6, jumping_jack=1.15, burpee=3.4, push_up=2.0, idle=1)[name]
        if name == 'idle':
            plan.stay('idle', seconds, seconds)
            return
        tempos = [random.uniform(.85, 1.1) for _ in range(max(1, round(seconds / period)))]
        if name == 'push_up':
            self._push_ups(plan, tempos)
            return
        plan.stay('idle', .5, .5)
        plan.stay(name, tempos, period * sum(tempos))
        plan.stay('idle', .4, .4)

    def _push_ups(self, plan, tempos):
        _, x, y, _ = plan.stops[-1]
        plan.stops[-1] = (plan.stops[-1][0], x, y, self.random.choice(PUSH_UP_HEADINGS))
        plan.stay('idle', .6, .6)
        plan.stay('get_down', None, 1.7)
        plan.stay('push_up', tempos, 2.0 * sum(tempos))
        plan.stay('get_up', None, 1.6)
        plan.stay('idle', .4, .4)


def _meet(one, other, seconds):
    times = np.arange(0, seconds, CHECKED_EVERY)
    return bool((np.linalg.norm(one.way(times) - other.way(times), axis=1) < KEEP_APART).any())


def timeline(plan):
    """The plan's activities, played."""
    return CrowdTimeline(plan.activities)
