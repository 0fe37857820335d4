"""People who stay: each has a place, does several sets there with rests, and goes out of the picture and comes back."""
import numpy as np
from plans import CHECKED_EVERY, KEEP_APART, Plan, Planner

TRIES = 80                      # of one step, before the person waits where they are
AWAY_SECONDS = 3, 25            # beside the picture
REST_SECONDS = 4, 12


class StationPlanner(Planner):
    """Plans step by step: a step that is blocked is drawn again, and the rest of the plan stays."""

    def add(self, inside, hides):
        for _ in range(TRIES):
            plan = Plan()
            place = self._place()
            if inside:
                plan.stops.append((0.0, *place))
                self._do_something(plan)
            else:
                plan.stops.append((0.0, *self._outside(), 0))
                plan.stay('idle', None, self.random.uniform(.05, self.seconds * .2))
                plan.activities[-1] = ('idle', plan.time)
            if self._is_free(plan) and self._filled(plan, place, inside):
                self.plans.append(plan)
                return plan
        raise RuntimeError('found no way through the hall for everybody; take another seed')

    def _place(self):
        """A spot away from those of the others."""
        while True:
            spot = self._spot()
            if all(np.hypot(*(np.array(spot[:2]) - other.home[:2])) > 1.5 for other in self.plans):
                return spot

    def _filled(self, plan, place, inside):
        """Adds steps until the end of the clip; False when somebody is in the way of each."""
        plan.home = np.array(place)
        is_home = inside
        while plan.time < self.seconds:
            for _ in range(TRIES):
                longer = Plan(list(plan.activities), list(plan.stops), plan.time)
                stays = self._step(longer, place, is_home)
                if stays is not None and self._is_free(longer):
                    plan.activities, plan.stops, plan.time, is_home = (
                        longer.activities, longer.stops, longer.time, stays)
                    break
            else:
                return False
        return True

    def _step(self, plan, place, is_home):
        """Rests and does a set, or goes somewhere and back. Whether the person is then at their place; None if blocked."""
        random = self.random
        if not is_home:
            if not self._go(plan, *place):
                return None
            self._do_something(plan)
            return True
        choice = random.random()
        rest = random.uniform(*REST_SECONDS)
        if choice < .55:
            plan.stay('idle', rest, rest)
            self._do_something(plan)
            return True
        if choice < .85:
            if not self._go(plan, *self._outside(), 0):
                return None
            away = random.uniform(*AWAY_SECONDS)
        elif choice < .93 and self.hall.seats:
            if not self._go(plan, *self.hall.seats[random.integers(len(self.hall.seats))]):
                return None
            plan.stay('idle', .7, .7)
            plan.stay('sit', rest, rest)
            plan.stay('idle', .7, .7)
            return False
        else:
            if not self.hall.hiding_places:
                return None
            spot = self.hall.hiding_places[random.integers(len(self.hall.hiding_places))]
            if not self._go(plan, *(spot + random.uniform(-.08, .08, 2)), random.uniform(-180, 180)):
                return None
            away = rest
        plan.stay('idle', away, away)
        return False

    def _is_free(self, plan):
        times = np.arange(0, min(plan.time, self.seconds), CHECKED_EVERY)
        return not any((np.linalg.norm(plan.way(times) - other.way(times), axis=1) < KEEP_APART).any()
                       for other in self.plans)
