"""A baseline for tracking: OC-SORT on the boxes around poses, with ByteTrack's second association.

Written from the papers:

J. Cao et al., "Observation-Centric SORT: Rethinking SORT for Robust Multi-Object Tracking", 2023: momentum of observed
directions, recovery by the last observation, and a re-update along a virtual path. Y. Zhang et al., "ByteTrack:
Multi-Object Tracking by Associating Every Detection Box", 2022: unsure detections are associated last and start no
track.
The Kalman filter and its noise are those of A. Bewley et al., "Simple Online and Realtime Tracking", 2016.
"""
from dataclasses import dataclass, field
import numpy as np

LEAST_OVERLAP = .3
MOMENTUM_WEIGHT = .2
MOMENTUM_FRAMES = 3
SURE, UNSURE = .6, .1           # mean confidence of the joints


def assigned(costs):
    """The cheapest columns of the rows of a matrix of costs: the Hungarian method with potentials."""
    size = max(costs.shape)
    square = np.zeros((size, size))
    square[:costs.shape[0], :costs.shape[1]] = costs
    rows, columns, owner = np.zeros(size), np.zeros(size + 1), np.full(size + 1, -1)
    for row in range(size):
        owner[size], column = row, size
        reach, before, seen = np.full(size, np.inf), np.full(size, size), np.zeros(size + 1, bool)
        while owner[column] >= 0:
            seen[column] = True
            reduced = square[owner[column]] - rows[owner[column]] - columns[:size]
            better = ~seen[:size] & (reduced < reach)
            reach[better], before[better] = reduced[better], column
            following = int(np.where(seen[:size], np.inf, reach).argmin())
            step = reach[following]
            rows[owner[seen]] += step
            columns[seen] -= step
            reach[~seen[:size]] -= step
            column = following
        while column != size:
            owner[column] = owner[before[column]]
            column = before[column]
    return [(int(owner[column]), column) for column in range(costs.shape[1]) if owner[column] < costs.shape[0]]


def overlaps(ones, others):
    """Intersection over union of boxes (left, top, right, bottom), each with each."""
    ones, others = np.reshape(ones, (-1, 1, 4)), np.reshape(others, (1, -1, 4))
    sides = np.minimum(ones[..., 2:], others[..., 2:]) - np.maximum(ones[..., :2], others[..., :2])
    common = sides.clip(0).prod(-1)
    areas = [(boxes[..., 2:] - boxes[..., :2]).prod(-1) for boxes in (ones, others)]
    return common / np.maximum(areas[0] + areas[1] - common, 1e-9)


def measured(box):
    """Middle, area and aspect of a box."""
    width, height = max(box[2] - box[0], 1), max(box[3] - box[1], 1)
    return np.array([(box[0] + box[2]) / 2, (box[1] + box[3]) / 2, width * height, width / height])


class Kalman:
    """Middle, area and aspect, with constant velocities of the first three; the unit of time is a frame."""

    def __init__(self, box):
        self.state = np.concatenate([measured(box), np.zeros(3)])
        self.spread = np.diag([10, 10, 10, 10, 1e4, 1e4, 1e4]).astype(float)

    def copy(self):
        """One that goes on alone."""
        other = Kalman.__new__(Kalman)
        other.state, other.spread = self.state.copy(), self.spread.copy()
        return other

    def predict(self):
        """One frame later."""
        step = np.eye(7)
        step[:3, 4:] = np.eye(3)
        if self.state[2] + self.state[6] <= 0:
            self.state[6] = 0
        self.state = step @ self.state
        self.spread = step @ self.spread @ step.T + np.diag([1, 1, 1, 1, .01, .01, 1e-4])

    def update(self, box):
        """Takes an observation in."""
        gain = self.spread[:, :4] @ np.linalg.inv(self.spread[:4, :4] + np.diag([1, 1, 10, 10]))
        self.state = self.state + gain @ (measured(box) - self.state[:4])
        self.spread = self.spread - gain @ self.spread[:4]

    def box(self):
        """The box that is expected."""
        x, y, area, aspect = self.state[:4]
        width = np.sqrt(max(area * aspect, 1))
        height = max(area, 1) / width
        return np.array([x - width / 2, y - height / 2, x + width / 2, y + height / 2])


@dataclass
class Track:
    """Somebody who is followed; `seen` holds the frames and boxes of all observations."""
    number: int
    filter: Kalman
    seen: list = field(default_factory=list)
    kept: Kalman = None

    def observe(self, frame, box):
        """Takes an observation in; after a gap the filter first walks along the straight way it has missed."""
        if self.seen and frame - self.seen[-1][0] > 1:
            before, last = self.seen[-1]
            self.filter = self.kept.copy()
            for between in range(before + 1, frame):
                share = (between - before) / (frame - before)
                self.filter.predict()
                self.filter.update(last + (box - last) * share)
            self.filter.predict()
        self.filter.update(box)
        self.kept = self.filter.copy()
        self.seen.append((frame, box))

    def direction(self):
        """The way of the last observations, as a unit vector; zero when there is only one."""
        frame, last = self.seen[-1]
        earlier = [box for number, box in self.seen[-2 - MOMENTUM_FRAMES:-1] if frame - number <= MOMENTUM_FRAMES]
        return _way(earlier[0] if earlier else (self.seen[-2][1] if len(self.seen) > 1 else last), last)


def _way(start, end):
    step = measured(end)[:2] - measured(start)[:2]
    return step / max(np.linalg.norm(step), 1e-9)


class OCSort:
    """Assigns boxes to tracks. `memory` is how many frames a track may be lost."""

    def __init__(self, memory):
        self.memory, self.tracks, self.number = memory, [], 0

    def follow(self, frame, boxes, scores):
        """The track's number for each box of this frame; None for an unsure box on nobody."""
        for track in self.tracks:
            track.filter.predict()
        self.tracks = [track for track in self.tracks if frame - track.seen[-1][0] <= self.memory]
        result = [None] * len(boxes)
        sure = [i for i, score in enumerate(scores) if score >= SURE]
        unsure = [i for i, score in enumerate(scores) if UNSURE <= score < SURE]
        free = list(self.tracks)
        free = self._match(frame, boxes, scores, sure, free, result, self._with_momentum)
        free = self._match(frame, boxes, scores, unsure, free, result, self._expected)
        free = self._match(frame, boxes, scores, sure + unsure, free, result, self._last)
        for i in sure:
            if result[i] is None:
                self.number += 1
                track = Track(self.number, Kalman(boxes[i]))
                track.observe(frame, boxes[i])
                self.tracks.append(track)
                result[i] = track.number
        return result

    def _match(self, frame, boxes, scores, chosen, free, result, gain):
        """Assigns what is still free with the largest sum of gains; returns the tracks that remain free."""
        chosen = [i for i in chosen if result[i] is None]
        if not chosen or not free:
            return free
        gains, overlap = gain(free, [boxes[i] for i in chosen], np.array([scores[i] for i in chosen]))
        taken = set()
        for row, column in assigned(-gains):
            if overlap[row, column] >= LEAST_OVERLAP:
                free[row].observe(frame, boxes[chosen[column]])
                result[chosen[column]] = free[row].number
                taken.add(row)
        return [track for row, track in enumerate(free) if row not in taken]

    @staticmethod
    def _expected(free, boxes, _scores):
        overlap = overlaps([track.filter.box() for track in free], boxes)
        return overlap, overlap

    @staticmethod
    def _last(free, boxes, _scores):
        overlap = overlaps([track.seen[-1][1] for track in free], boxes)
        return overlap, overlap

    @staticmethod
    def _with_momentum(free, boxes, scores):
        overlap = overlaps([track.filter.box() for track in free], boxes)
        ways = np.array([[_way(track.seen[-1][1], box) for box in boxes] for track in free])
        directions = np.array([track.direction() for track in free])
        angles = np.arccos(np.clip((ways * directions[:, None]).sum(-1), -1, 1))
        moving = np.linalg.norm(directions, axis=1)[:, None] > .5
        momentum = np.where(moving, (np.pi / 2 - angles) / np.pi, 0) * scores[None]
        return overlap + MOMENTUM_WEIGHT * momentum, overlap
