#!/usr/bin/env python3
"""Measures how the pose detector errs on people whose joints are known, and how the motion generator says it errs.

usage: detector.py TRUTH... --poses FOLDER [--synthetic EXACT TYPICAL] [--parts] [--csv FILE]

TRUTH are folders of rendered clips: CLIP.json beside CLIP.mp4, one person in each (`render.sh --alone` in
Tests/Fixtures/render). FOLDER holds what `spotter poses CLIP.mp4 --rate R -o FOLDER/CLIP.poses.jsonl` found in them; R
is the clip's own rate.
EXACT and TYPICAL are folders of `spotter synthesize --joints` with the same seed, EXACT with `--noise 0`.
--parts adds the tables for each view; --csv writes one row for each clip, posture, view and joint group.

The unit is the person's trunk at its distance from the camera: neck to middle of the hips in metres (median of the
clip), times focal length, by the depth of the hips. It does not shrink when the trunk points at the camera. The tables:

bias       systematic error: the mean of the clip, in this posture and view; root mean square over clips, per axis
wander     slow error around that mean: deviation per axis; `memory` is its correlation from picture to picture, as of a
           first-order process with white jitter on top, at the rate of the clip
jitter     the deviation of the white part, per axis
2nd        median length of the second difference of the error, in percent
seen,      confidence of visible joints and of those that the own body hides: 10, 50 and 90 % of the clips' means
hidden
gross      share of errors beyond 0.4 trunk lengths (wrong side, lost limb); they are left out of the columns before
lost       share of pictures in which nobody was found

A joint is hidden when a capsule of the own body is before it, in the way of `Projection`, in rendered clips too: that
foretells the detector's confidence better than the depth of the rendered picture does.
"""
import argparse
import collections
import csv
import json
import pathlib
import sys

import numpy as np

JOINTS = ('nose neck right_shoulder right_elbow right_wrist left_shoulder left_elbow left_wrist right_hip right_knee '
          'right_ankle left_hip left_knee left_ankle right_eye left_eye right_ear left_ear').split()
AT = {name: index for index, name in enumerate(JOINTS)}
TWIN = np.array([AT[name.replace('left', '*').replace('right', 'left').replace('*', 'right')] for name in JOINTS])
GROUPS = {name: [AT[f'right_{name}'], AT[f'left_{name}']]
          for name in ('shoulder', 'elbow', 'wrist', 'hip', 'knee', 'ankle')}
GROUPS['face'] = [AT[name] for name in ('nose', 'right_eye', 'left_eye', 'right_ear', 'left_ear')]
# The joint that draws another one to it, and whose error it takes over.
BEFORE = dict(shoulder='hip', elbow='shoulder', wrist='elbow', hip='knee', knee='hip', ankle='knee')
ANCHORS = np.array([AT.get(f'{side}_{BEFORE.get(kind)}', AT['neck'])
                    for side, _, kind in (name.rpartition('_') for name in JOINTS)])
HIPS, ANKLES, NECK = GROUPS['hip'], GROUPS['ankle'], AT['neck']
GROSS = .4
POSTURES = 'upright', 'bent', 'floor'
VIEWS = (('front', 'front 45', 'side', 'back 45', 'back'),) * 2 + (('head', 'head 45', 'side', 'feet 45', 'feet'),)
# Radii in metres. The trunk's are larger than those of `Projection.swift`: so they foretell best how sure the detector is.
PARTS = [(f'{a}_shoulder', f'{b}_hip', .12) for a in ('right', 'left') for b in ('right', 'left')]
PARTS += [('right_shoulder', 'left_shoulder', .14), ('right_hip', 'left_hip', .14), ('right_ear', 'left_ear', .09)] + [
    (f'{side}_{a}', f'{side}_{b}', radius) for side in ('right', 'left')
    for a, b, radius in (('hip', 'knee', .1), ('knee', 'ankle', .08), ('shoulder', 'elbow', .07),
                         ('elbow', 'wrist', .055))]


def length(vectors):
    return np.linalg.norm(vectors, axis=-1)


class Clip:
    """True and found joints of one person, picture by picture.

    `points` and `depths` are true, in pixels (any unit of length) and metres; `world` has z up; `found` is
    [pictures, 18, 3] in the same unit, not a number where nobody was found.
    """

    def __init__(self, name, rate, points, depths, world, camera, focal, found):
        self.rate = rate
        self.name, self.points, self.depths, self.world, self.camera = name, points, depths, world, camera
        middle = world[:, HIPS].mean(1)
        self.metres = np.median(length(world[:, NECK] - middle))
        self.scale = focal / depths[:, HIPS].mean(1)
        self.trunk = self.metres * self.scale
        self.found = found
        self.hidden = self._behind_capsules() > .5
        self.error = (found[..., :2] - points) / self.trunk[:, None, None]
        # Detectors may leave joints out.
        self.error[~(found[..., 2] > 0)] = np.nan
        self.seen = length(points[:, NECK] - points[:, HIPS].mean(1)) / self.trunk
        self._classify(middle)

    def _classify(self, hips):
        """Posture and view of each picture."""
        neck, ankles = self.world[:, NECK], self.world[:, ANKLES].mean(1)
        way = neck - hips
        leaning = way[:, 2] < np.cos(np.radians(35)) * length(way)
        floor = neck[:, 2] < 1.5 * self.metres
        self.posture = np.where(floor, 2, np.where(leaning | (hips[:, 2] < 1.35 * self.metres), 1, 0))
        facing = np.cross(self.world[:, AT['left_shoulder']] - self.world[:, AT['right_shoulder']], [0, 0, 1.0])
        ahead = np.where(floor[:, None], neck - ankles, facing)[:, :2]
        there = (self.camera - hips)[:, :2]
        cosine = (ahead * there).sum(-1) / np.maximum(length(ahead) * length(there), 1e-9)
        self.view = np.digitize(np.degrees(np.arccos(np.clip(cosine, -1, 1))), [22.5, 67.5, 112.5, 157.5])

    def _behind_capsules(self):
        """As `Projection.hide` computes it, with the radii of this file."""
        result = np.zeros(self.depths.shape)
        for a, b, radius in ((AT[a], AT[b], radius) for a, b, radius in PARTS):
            axis, way = self.points[:, b] - self.points[:, a], self.points - self.points[:, a:a + 1]
            along = np.clip(np.einsum('njk,nk->nj', way, axis) / np.maximum((axis ** 2).sum(-1), 1e-8)[:, None], 0, 1)
            before = self.depths - self.depths[:, a:a + 1] - (self.depths[:, b] - self.depths[:, a])[:, None] * along
            depth = 1.25 - length(way - axis[:, None] * along[..., None]) / (radius * self.scale[:, None])
            share = np.clip(4 * depth, 0, 1) * (before > radius + .02)
            share[:, [a, b]] = 0
            result = np.maximum(result, share)
        return result

    def pieces(self):
        """(posture, view, which pictures) for everything that lasts six pictures or more."""
        for posture in range(3):
            for view in range(5):
                chosen = (self.posture == posture) & (self.view == view) & (self.found[:, NECK, 2] > 0)
                if chosen.sum() >= 6:
                    yield posture, view, chosen


def stream(path):
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    return lines[0], lines[1:]


def rendered(truth_path, poses_path):
    truth = json.loads(truth_path.read_text())
    if len(truth['people']) != 1:
        return None
    camera, order = truth['camera'], truth['landmark_order']
    marks = np.array([entry['people'][0]['landmarks'] for entry in truth['data']], float)
    numbers = [order.index(name) if name in order else 0 for name in JOINTS]
    x, y, depth = (marks[:, numbers, column] for column in range(3))
    space = np.stack([(x - camera['cx']) / camera['focal_px'] * depth,
                      (camera['cy'] - y) / camera['focal_px'] * depth, depth], -1)
    space[:, NECK] = space[:, GROUPS['shoulder']].mean(1)
    axes, location = np.array(camera['rows_right_up_forward']), np.array(camera['location'])
    points = np.stack([camera['cx'] + camera['focal_px'] * space[..., 0] / space[..., 2],
                       camera['cy'] - camera['focal_px'] * space[..., 1] / space[..., 2]], -1)
    found = nearest(truth, points, *stream(poses_path))
    return Clip(truth['clip'], truth['fps'], points, space[..., 2], space @ axes + location, location,
                camera['focal_px'], found)


def nearest(truth, points, header, frames):
    """The pose that is nearest to the person in each picture."""
    size = np.array([truth['width'], truth['height'], 1])
    times = np.array([frame['t'] for frame in frames])
    found = np.full((len(points), len(JOINTS), 3), np.nan)
    for number, entry in enumerate(truth['data']):
        index = int(abs(times - entry['t']).argmin())
        if abs(times[index] - entry['t']) > .4 / header['rate_hz']:
            continue
        poses = [np.array(pose['keypoints']) * size for pose in frames[index]['poses']]
        trunk = [NECK, *HIPS]
        if poses:
            found[number] = min(poses, key=lambda pose: length(pose[trunk, :2] - points[number, trunk]).sum())
    return found


def synthetic(exact_path, typical_path):
    """The camera follows from exact points and their places in space (direct linear transform)."""
    (header, exact), (other, typical) = stream(exact_path), stream(typical_path)
    space = np.array(json.loads(pathlib.Path(str(exact_path).replace('.poses.jsonl', '.joints.json')).read_text()))
    space = np.stack([space[..., 0], -space[..., 2], space[..., 1]], -1)
    frames = [(a, b) for a, b in zip(exact, typical) if a['poses']]
    aspect = header['width'] / header['height']
    if header['width'] * other['height'] != other['width'] * header['height'] or len(frames) < len(space):
        return None
    points = np.array([a['poses'][0]['keypoints'] for a, _ in frames])[..., :2] * [aspect, 1]
    found = np.full((*points.shape[:2], 3), np.nan)
    for number, (_, frame) in enumerate(frames):
        if frame['poses']:
            found[number] = np.array(frame['poses'][0]['keypoints']) * [aspect, 1, 1]
    flat = np.concatenate([space.reshape(-1, 3), np.ones((space.shape[0] * space.shape[1], 1))], 1)
    u, v = points.reshape(-1, 2).T
    zeros = np.zeros_like(flat)
    system = np.concatenate([np.concatenate([flat, zeros, -u[:, None] * flat], 1),
                             np.concatenate([zeros, flat, -v[:, None] * flat], 1)])
    matrix = np.linalg.eigh(system.T @ system)[1][:, 0].reshape(3, 4)
    matrix /= length(matrix[2, :3])
    depths = (flat @ matrix[2]).reshape(space.shape[:2])
    if depths.mean() < 0:
        matrix, depths = -matrix, -depths
    forward = matrix[2, :3]
    focal = length(matrix[0, :3] - (matrix[0, :3] @ forward) * forward)
    camera = -np.linalg.solve(matrix[:, :3], matrix[:, 3])
    return Clip(exact_path.name, header['rate_hz'], points, depths, space, camera, focal, found)


def process(series):
    """Wander, memory and jitter of series [pieces][pictures, 2]: a first-order process with white noise on top."""
    sums = np.zeros(4)
    count = np.zeros(4)
    for error in series:
        rest = error - error.mean(0)
        for lag in range(4):
            products = rest[lag:] * rest[:len(rest) - lag]
            sums[lag] += products.sum()
            count[lag] += products.size
    c0, c1, c2, c3 = sums / np.maximum(count, 1)
    memory = float(np.clip(np.sqrt(max(c3, 1e-9) / max(c1, 1e-9)), .05, .98))
    slow = min(c1 / memory, c0)
    return np.sqrt(max(slow, 0)), memory, np.sqrt(max(c0 - slow, 0))


def in_a_row(chosen):
    """The numbers of chosen pictures, a list for each run of them."""
    numbers = np.flatnonzero(chosen)
    return [run for run in np.split(numbers, np.flatnonzero(np.diff(numbers) > 1) + 1) if len(run)]


class Pile:
    """All pieces of a joint group in one posture and view."""

    def __init__(self):
        self.means, self.series, self.seconds, self.seen, self.hidden = [], [], [], [], []
        self.clips = set()
        self.gross = np.zeros(2)

    def add(self, clip, chosen, joint):
        chosen = chosen & (clip.found[:, joint, 2] > 0)
        hidden = clip.hidden[:, joint]
        for kind, where in ((self.hidden, chosen & hidden), (self.seen, chosen & ~hidden)):
            if where.sum() >= 3:
                kind.append(clip.found[where, joint, 2].mean())
        near = chosen & (length(clip.error[:, joint]) < GROSS)
        self.gross += chosen.sum() - near.sum(), chosen.sum()
        if near.sum() < 4:
            return
        self.clips.add(clip.name)
        self.means.append(clip.error[near, joint].mean(0))
        # Only pictures in a row have a memory.
        for run in in_a_row(near):
            if len(run) >= 5:
                self.series.append(clip.error[run, joint])
                self.seconds += list(length(np.diff(clip.error[run, joint], 2, axis=0)))

    def row(self):
        bias = np.sqrt((np.array(self.means) ** 2).mean()) if self.means else np.nan
        wander, memory, jitter = process(self.series) if self.series else (np.nan,) * 3
        second = 100 * np.median(self.seconds) if self.seconds else np.nan
        seen, hidden = (np.quantile(means, [.1, .5, .9]) if len(means) > 2 else np.full(3, np.nan)
                        for means in (self.seen, self.hidden))
        gross = self.gross[0] / max(self.gross[1], 1)
        return [len(self.clips), bias, wander, memory, jitter, second, seen, hidden, gross]


def piles(clips, by_view):
    result = collections.defaultdict(Pile)
    for clip in clips:
        for posture, view, chosen in clip.pieces():
            for group, joints in GROUPS.items():
                for joint in joints:
                    result[posture, view if by_view else 0, group].add(clip, chosen, joint)
    return result


def print_piles(clips, title, by_view=False):
    print(f'\n{title}\n{"posture":8} {"view":9}{"joint":9}clips  bias wander memory jitter  2nd %  seen 10 50 90 %  '
          'hidden 10 50 90 %  gross')
    for (posture, view, group), pile in sorted(piles(clips, by_view).items(), key=lambda item: item[0][:2]):
        clips_, bias, wander, memory, jitter, second, seen, hidden, gross = pile.row()
        name = VIEWS[posture][view] if by_view else 'all'
        print(f'{POSTURES[posture]:8} {name:9}{group:9}{clips_:5} {bias:5.3f} {wander:6.3f} {memory:6.2f} '
              f'{jitter:6.3f} {second:6.2f}  ' +
              '    '.join(' '.join(f'{one:4.2f}' for one in ones) for ones in (seen, hidden)) +
              f'    {gross:5.3f}')


def print_lost(clips):
    print('\npictures, and those in which nobody was found')
    for posture in range(3):
        for view in range(5):
            here = [(clip.posture == posture) & (clip.view == view) for clip in clips]
            lost = [where & ~(clip.found[:, NECK, 2] > 0) for clip, where in zip(clips, here)]
            total = sum(where.sum() for where in here)
            if total:
                print(f'{POSTURES[posture]:8} {VIEWS[posture][view]:9}{total:6} {sum(map(np.sum, lost)) / total:6.3f}')


def print_trunk(clips):
    """What becomes of a trunk that points at the camera."""
    print('\nlength of the trunk in the picture, true and found, and its deviation\n'
          'view      true       pictures  true found  dev.')
    rows = collections.defaultdict(list)
    for clip in clips:
        for posture, view, chosen in clip.pieces():
            ends = [points[chosen][:, NECK, :2] - points[chosen][:, HIPS, :2].mean(1)
                    for points in (clip.points, clip.found)]
            true, found = (length(way) / clip.trunk[chosen] for way in ends)
            found[np.isnan(clip.error[chosen][:, [NECK, *HIPS], 0]).any(1)] = np.nan
            for number, limit in enumerate((.2, .4, .6, .8, 2)):
                where = (true < limit) & (true >= (0, .2, .4, .6, .8)[number])
                name = 'floor, ' + VIEWS[2][view].split()[0] if posture == 2 else POSTURES[posture]
                where &= ~np.isnan(found)
                rows[name, limit] += list(zip(true[where], found[where]))
    for (name, limit), pairs in sorted(rows.items()):
        if len(pairs) > 10:
            true, found = np.array(pairs).T
            print(f'{name:14} < {limit:3.1f} {len(pairs):6}  {true.mean():5.2f} {found.mean():5.2f} {found.std():5.2f}')


def pulls(clips, joints, wanted):
    """Least squares of the errors that are not gross.

    Explained are shares of the ways to the twin and to the anchor, and the share of the anchor's error. Returned are
    these, R², the deviation of the rest, and the number of pictures.
    """
    left, right = [], []
    for clip in clips:
        near = length(clip.error) < GROSS
        for posture, view, chosen in clip.pieces():
            for joint in joints:
                anchor, twin = ANCHORS[joint], TWIN[joint]
                where = chosen & wanted(clip, posture, view, joint) & near[:, joint] & near[:, anchor]
                if where.sum() >= 3:
                    ways = [(clip.points[where, other] - clip.points[where, joint]) / clip.trunk[where, None]
                            for other in (twin, anchor)]
                    left.append(np.stack([way.ravel() for way in (*ways, clip.error[where, anchor])], 1))
                    right.append(clip.error[where, joint].ravel())
    if sum(map(len, right)) < 40:
        return None
    left, right = np.concatenate(left), np.concatenate(right)
    # The nose has no twin, and face and shoulders no anchor whose error comes first.
    share = np.linalg.pinv(left) @ right
    rest = right - left @ share
    return *share, 1 - (rest ** 2).sum() / (right ** 2).sum(), np.sqrt((rest ** 2).mean()), len(right) // 2


# What decides where a joint is drawn to: posture, view (0 head or front … 4 back or feet), length of the trunk seen.
PLACES = {
    'upright, not side': lambda posture, view, seen: (posture == 0) & (view != 2) & (seen > 0),
    'upright, side': lambda posture, view, seen: (posture == 0) & (view == 2) & (seen > 0),
    'bent': lambda posture, view, seen: (posture == 1) & (seen > 0),
    'floor, side': lambda posture, view, seen: (posture == 2) & (view == 2) & (seen > 0),
    'floor, other, > .7': lambda posture, view, seen: (posture == 2) & (view != 2) & (seen > .7),
    'floor, other, .4 to .7': lambda posture, view, seen: (posture == 2) & (view != 2) & (seen > .4) & (seen <= .7),
    'floor, head, < .4': lambda posture, view, seen: (posture == 2) & (view < 2) & (seen <= .4),
    'floor, feet, < .4': lambda posture, view, seen: (posture == 2) & (view > 2) & (seen <= .4)}


def print_pulls(clips):
    print('\nwhere joints are drawn to: shares of the way to the twin and to the anchor, and of the anchor\'s error')
    print(f'{"joint":9}{"":9}{"where; trunk seen":23}  twin anchor inherits    R²   rest pictures')
    for group, joints in GROUPS.items():
        for word, state in (('visible', False), ('hidden', True)):
            for place, applies in PLACES.items():
                found = pulls(clips, joints, lambda clip, posture, view, joint: (clip.hidden[:, joint] == state)
                              & applies(posture, view, clip.seen))
                if found:
                    print(f'{group:9}{word:9}{place:23}' + '{:6.2f}{:7.2f}{:9.2f}{:6.2f}{:7.3f}{:9}'.format(*found))


def print_strays(clips):
    """Gross errors of single joints: how often they begin, and how long they last."""
    print('\ngross errors while the neck is right: share, beginnings in a second, seconds, distance')
    for place, postures in (('upright and bent', (0, 1)), ('floor', (2,))):
        for group, joints in GROUPS.items():
            for word, state in (('visible', False), ('hidden', True)):
                total, runs, distances = 0, [], []
                for clip in clips:
                    where = np.isin(clip.posture, postures) & (length(clip.error[:, NECK]) < .3)
                    for joint in joints:
                        total += (where & (clip.hidden[:, joint] == state)).sum()
                        far = where & (clip.hidden[:, joint] == state) & (length(clip.error[:, joint]) > GROSS)
                        distances += list(length(clip.error[far, joint]))
                        runs += [len(run) / clip.rate for run in in_a_row(far)]
                if total > 60 and runs:
                    seconds = total / clips[0].rate
                    print(f'{place:17}{group:9}{word:8} {len(distances) / total:6.3f} {len(runs) / seconds:6.2f} '
                          f'{np.mean(runs):6.2f} {np.median(distances):6.2f}')


def write_csv(clips, path):
    with open(path, 'w', newline='') as file:
        table = csv.writer(file)
        table.writerow('clip posture view group pictures trunk_px bias_x bias_y wander second_percent'.split())
        for clip in clips:
            for posture, view, chosen in clip.pieces():
                for group, joints in GROUPS.items():
                    for joint in joints:
                        error = clip.error[chosen, joint]
                        table.writerow([
                            clip.name, POSTURES[posture], VIEWS[posture][view], JOINTS[joint], chosen.sum(),
                            round(clip.trunk[chosen].mean(), 3), *error.mean(0).round(4), error.std(0).mean().round(4),
                            round(100 * float(np.median(length(np.diff(error, 2, axis=0)))), 3)])


def report(clips, title, by_view):
    print_piles(clips, f'{title}: {len(clips)} clips')
    if by_view:
        print_piles(clips, f'{title}, by view', True)
    print_lost(clips)
    print_trunk(clips)
    print_pulls(clips)
    print_strays(clips)


def main():
    parser = argparse.ArgumentParser(description='Measures the errors of the pose detector.')
    parser.add_argument('truth', nargs='*', type=pathlib.Path)
    parser.add_argument('--poses', type=pathlib.Path)
    parser.add_argument('--synthetic', nargs=2, type=pathlib.Path, metavar=('EXACT', 'TYPICAL'))
    parser.add_argument('--parts', action='store_true')
    parser.add_argument('--csv', type=pathlib.Path)
    options = parser.parse_args()
    if options.truth:
        if not options.poses:
            parser.error('rendered clips need --poses')
        pairs = [(file, options.poses / f'{file.stem}.poses.jsonl') for folder in options.truth
                 for file in sorted(folder.glob('*.json'))]
        clips = [clip for clip in (rendered(*pair) for pair in pairs if pair[1].exists()) if clip]
        if not clips:
            sys.exit('detector.py: no clip has both truth and poses')
        report(clips, 'Rendered people, found by the detector', options.parts)
        if options.csv:
            write_csv(clips, options.csv)
    if options.synthetic:
        exact, typical = options.synthetic
        pairs = [(file, typical / file.relative_to(exact)) for file in sorted(exact.rglob('*.poses.jsonl'))]
        clips = [clip for clip in (synthetic(*pair) for pair in pairs if pair[1].exists()) if clip]
        report(clips, 'Synthetic people, with the errors of the generator', options.parts)


if __name__ == '__main__':
    main()
