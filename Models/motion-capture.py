#!/usr/bin/env python3
"""Turns recorded motion in space into the file that `spotter train --motion-capture` films.

usage: motion-capture.py DATA OUT.safetensors

DATA is a folder with ui_prmd_vicon_positions_33hz.npz, mocap6/*_joints30fps.npz and cmu_bvh/SUBJECT_TAKE.bvh; what is
missing is named and left out. OUT holds a tensor [frames, 18, 3] for each take, at 30 Hz, in metres, y up, named LABEL/PERSON/TAKE.

UI-PRMD (University of Idaho; Vakanski et al., "A Data Set of Human Body Movements for Physical Rehabilitation
Exercises", Data 3(1):2, 2018) is in the public domain (PDDL 1.0). The CMU Graphics Lab Motion Capture Database
(mocap.cs.cmu.edu) is free for all uses; it was created with funding from NSF EIA-0196217. cmu_bvh/ holds its subjects 1 to 3 and 5 to 7 on
the skeleton of iClone, as in DragonForgedTheArtist/IClone-CMU-Mocap.
"""
import json
import re
import struct
import sys
from pathlib import Path

import numpy

JOINTS = (
    "nose neck right_shoulder right_elbow right_wrist left_shoulder left_elbow left_wrist right_hip right_knee "
    "right_ankle left_hip left_knee left_ankle right_eye left_eye right_ear left_ear"
).split()
RATE = 30.0
# Frames over which two repetitions of a person are joined.
BLEND = 6

MARKERS = (
    "LFHD RFHD LBHD RBHD C7 T10 CLAV STRN RBAK LSHO LUPA LELB LFRM LWRA LWRB LFIN RSHO RUPA RELB RFRM RWRA RWRB RFIN "
    "LASI RASI LPSI RPSI LTHI LKNE LTIB LANK LHEE LTOE RTHI RKNE RTIB RANK RHEE RTOE"
).split()
UI_PRMD = dict(
    deep_squat="squat", inline_lunge="lunge", side_lunge="lunge", hurdle_step="other", sit_to_stand="none",
    standing_active_straight_leg_raise="other", standing_shoulder_abduction="other")
# The labels of the takes of subjects 13 and 14. "UpDown" changes what it shows and is left out.
CMU = dict(
    JumpJack="jumping_jack", Squat="squat", Jog="other", KneeRaise="other", ArmCircle="other", Twist="other",
    SideReach="other", Box="other", ToeTouchOneHand="other", SideBend="other", ToeTouchTwoHands="other")
# Those of other subjects, by subject and take; None stands for all others of a subject. They climb, walk, jump, fight,
# dance and play basketball.
CMU_TAKES = {
    1: {None: "other"}, 2: {None: "other", 1: "none", 2: "none", 6: "none", 10: "none"}, 3: {None: "none"},
    5: {None: "other", 1: "none"}, 6: {None: "other", 1: "none"}, 7: {None: "none"}}
CMU_RATE = 120.0
# The joints of a skeleton whose bones are named CC_Base_….
BONES = dict(shoulder="Upperarm", elbow="Forearm", wrist="Hand", hip="Thigh", knee="Calf", ankle="Foot")


def head(points, nose, right, left, up):
    """The joints of a face, from three points around the head's middle and the way up."""
    middle = (right + left) / 2
    front = nose - middle
    points["nose"] = nose
    for side, ear in (("right", right), ("left", left)):
        points[f"{side}_ear"] = ear
        points[f"{side}_eye"] = middle + 0.8 * front + 0.35 * (ear - middle) + 0.2 * up


def stacked(points):
    return numpy.stack([points[joint] for joint in JOINTS], axis=1).astype(numpy.float32)


def upright(xyz):
    """Turns z up into y up, keeping left and right."""
    return numpy.stack([xyz[..., 1], xyz[..., 2], xyz[..., 0]], axis=-1)


def resampled(points, rate):
    """[frames, 18, 3] at `rate` → at 30 Hz."""
    frames = int((len(points) - 1) * RATE / rate) + 1
    at = numpy.arange(frames) * rate / RATE
    low = numpy.minimum(at.astype(int), len(points) - 2)
    share = (at - low)[:, None, None]
    return points[low] * (1 - share) + points[low + 1] * share


def joined(parts):
    """One take from a person's repetitions: each begins where the one before it ended, and they are blended."""
    whole = parts[0]
    for part in parts[1:]:
        step = hips(whole[-1]) - hips(part[0])
        step[1] = 0
        part = part + step
        weights = ((numpy.arange(BLEND) + 1) / (BLEND + 1))[:, None, None]
        whole = numpy.concatenate([whole, whole[-1] * (1 - weights) + part[:1] * weights, part])
    return whole


def hips(pose):
    return (pose[JOINTS.index("left_hip")] + pose[JOINTS.index("right_hip")]) / 2


def ui_prmd(path):
    data = numpy.load(path)
    xyz = upright(data["pos"].astype(numpy.float32).reshape(-1, len(MARKERS), 3))
    at = {name: xyz[:, index] for index, name in enumerate(MARKERS)}
    points = dict(neck=(at["C7"] + at["CLAV"]) / 2)
    pelvis = (at["LASI"] + at["RASI"] + at["LPSI"] + at["RPSI"]) / 4
    for side, letter in (("left", "L"), ("right", "R")):
        # The marker of the shoulder sits on top of the joint, that of the hip in front of it.
        points[f"{side}_shoulder"] = at[f"{letter}SHO"] - numpy.array([0, 0.03, 0], numpy.float32)
        points[f"{side}_elbow"] = at[f"{letter}ELB"]
        points[f"{side}_wrist"] = (at[f"{letter}WRA"] + at[f"{letter}WRB"]) / 2
        points[f"{side}_hip"] = 0.45 * pelvis + 0.55 * at[f"{letter}ASI"] - numpy.array([0, 0.07, 0], numpy.float32)
        points[f"{side}_knee"] = at[f"{letter}KNE"]
        points[f"{side}_ankle"] = at[f"{letter}ANK"]
    up = numpy.array([0, 0.1, 0], numpy.float32)
    front = (at["LFHD"] + at["RFHD"]) / 2
    # The band lies around the forehead: eyes and ears are below it.
    head(points, front + 0.15 * (front - (at["LBHD"] + at["RBHD"]) / 2) - up,
         (at["RFHD"] + at["RBHD"]) / 2 - up, (at["LFHD"] + at["LBHD"]) / 2 - up, up)
    poses = stacked(points)
    groups = {}
    for index, (label, subject, correct) in enumerate(zip(data["labels"], data["subjects"], data["correct"])):
        first, end = data["offsets"][index], data["offsets"][index + 1]
        part = poses[first:end]
        if end - first > 20 and numpy.isfinite(part).all() and numpy.abs(numpy.diff(part, axis=0)).max() < 0.35:
            groups.setdefault((str(label), int(subject), bool(correct)), []).append(part)
    for (label, subject, correct), parts in sorted(groups.items()):
        name = f"{label}-{'correct' if correct else 'incorrect'}"
        yield f"{UI_PRMD[label]}/ui-prmd-{subject}/{name}", resampled(joined(parts), 33.3)


def cmu(path):
    data = numpy.load(path)
    names, labels = [str(name) for name in data["names"]], data["label"]
    at = {str(name): data["xyz"][:, index] for index, name in enumerate(data["joints"])}
    points = dict(neck=(at["lhumerus"] + at["rhumerus"]) / 2)
    # A joint of this skeleton is where its bone ends: the humerus ends at the elbow, the clavicle at the shoulder.
    for side, letter in (("left", "l"), ("right", "r")):
        points[f"{side}_shoulder"] = at[f"{letter}clavicle"]
        points[f"{side}_elbow"] = at[f"{letter}humerus"]
        points[f"{side}_wrist"] = at[f"{letter}radius"]
        points[f"{side}_hip"] = at[f"{letter}hipjoint"]
        points[f"{side}_knee"] = at[f"{letter}femur"]
        points[f"{side}_ankle"] = at[f"{letter}tibia"]
    points["neck"] = (points["left_shoulder"] + points["right_shoulder"]) / 2
    across = points["left_shoulder"] - points["right_shoulder"]
    across /= numpy.linalg.norm(across, axis=1, keepdims=True)
    up = at["head"] - at["upperneck"]
    up /= numpy.maximum(numpy.linalg.norm(up, axis=1, keepdims=True), 1e-6)
    middle = (at["head"] + at["upperneck"]) / 2
    head(points, middle + 0.11 * numpy.cross(across, up), middle - 0.07 * across, middle + 0.07 * across, 0.1 * up)
    poses = stacked(points)
    edges = [0, *(numpy.flatnonzero(numpy.diff(labels)) + 1), len(labels)]
    for number, (first, end) in enumerate(zip(edges, edges[1:])):
        label = CMU.get(names[labels[first]])
        if label and end - first >= 45:
            yield f"{label}/cmu-{path.name[:2]}/{path.name[:5]}-{number}-{names[labels[first]]}", poses[first:end]


def bvh(path):
    """The joints of a BVH file by name, each [frames, 3] in metres, y up, z to the front."""
    words = path.read_text().split()
    offsets, parents, names, channels, order = {}, {}, [], {}, []
    above, place, current = [], 1, None
    while words[place] != "MOTION":
        word = words[place]
        if word in ("ROOT", "JOINT", "End"):
            current = f"end of {above[-1]}" if word == "End" else words[place + 1]
            parents[current] = above[-1] if above else None
            names.append(current)
            channels[current] = []
            place += 2
        elif word == "{":
            above.append(current)
            place += 1
        elif word == "}":
            above.pop()
            place += 1
        elif word == "OFFSET":
            offsets[current] = numpy.array([float(number) for number in words[place + 1:place + 4]])
            place += 4
        elif word == "CHANNELS":
            count = int(words[place + 1])
            channels[current] = words[place + 2:place + 2 + count]
            order += [(current, channel) for channel in channels[current]]
            place += 2 + count
        else:
            raise ValueError(f"{path}: {word} is not expected")
    # MOTION Frames: n Frame Time: s
    values = numpy.array(words[place + 6:], float).reshape(-1, len(order))
    column = {key: values[:, index] for index, key in enumerate(order)}
    points, turns = {}, {}
    for name in names:
        way = numpy.broadcast_to(offsets[name], (len(values), 3)).copy()
        turn = numpy.broadcast_to(numpy.eye(3), (len(values), 3, 3))
        for channel in channels[name]:
            axis = "XYZ".index(channel[0])
            if channel.endswith("position"):
                way[:, axis] += column[name, channel]
            else:
                turn = turn @ about(axis, numpy.radians(column[name, channel]))
        parent = parents[name]
        points[name] = way if parent is None else points[parent] + numpy.einsum("nij,nj->ni", turns[parent], way)
        turns[name] = turn if parent is None else turns[parent] @ turn
    return {name: point / 100 for name, point in points.items()}


def about(axis, angles):
    """The rotations around an axis, [frames, 3, 3]."""
    turn = numpy.tile(numpy.eye(3), (len(angles), 1, 1))
    a, b = (axis + 1) % 3, (axis + 2) % 3
    turn[:, a, a] = turn[:, b, b] = numpy.cos(angles)
    turn[:, b, a], turn[:, a, b] = numpy.sin(angles), -numpy.sin(angles)
    return turn


def cmu_bvh(path):
    match = re.fullmatch(r"(\d+)_(\d+)", path.stem)
    labels = CMU_TAKES.get(int(match[1])) if match else None
    if not labels:
        print(f"{path} is left out: it is no SUBJECT_TAKE.bvh of subjects 1, 2, 3, 5, 6 or 7", file=sys.stderr)
        return
    number = int(match[2])
    at = bvh(path)
    points = {}
    for side in ("left", "right"):
        for joint, bone in BONES.items():
            points[f"{side}_{joint}"] = at[f"CC_Base_{side[0].upper()}_{bone}"]
    points["neck"] = (points["left_shoulder"] + points["right_shoulder"]) / 2
    across = points["left_shoulder"] - points["right_shoulder"]
    across /= numpy.linalg.norm(across, axis=1, keepdims=True)
    up = at["CC_Base_Head"] - at["CC_Base_NeckTwist01"]
    up /= numpy.linalg.norm(up, axis=1, keepdims=True)
    # The bone of the head begins at the skull's base.
    middle = at["CC_Base_Head"] + 0.08 * up
    head(points, middle + 0.1 * numpy.cross(across, up), middle - 0.07 * across, middle + 0.07 * across, 0.1 * up)
    # Some files begin with a frame in which the person stands elsewhere, arms out.
    poses = resampled(stacked(points)[1:], CMU_RATE)
    if len(poses) >= 45 and numpy.abs(numpy.diff(poses, axis=0)).max() < 1:
        yield f"{labels.get(number, labels[None])}/cmu-{int(match[1]):02}/{path.stem}", poses


def write(path, takes):
    header, numbers, place = {}, [], 0
    for name, take in sorted(takes.items()):
        values = numpy.ascontiguousarray(take, dtype="<f4").tobytes()
        header[name] = dict(dtype="F32", shape=list(take.shape), data_offsets=[place, place + len(values)])
        numbers.append(values)
        place += len(values)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    Path(path).write_bytes(struct.pack("<Q", len(text)) + text + b"".join(numbers))


def main(data, out):
    data, takes = Path(data), {}
    prmd, mocap6 = data / "ui_prmd_vicon_positions_33hz.npz", sorted(data.glob("mocap6/*_joints30fps.npz"))
    if prmd.exists():
        takes.update(ui_prmd(prmd))
    else:
        print(f"{prmd} is missing; training goes on without UI-PRMD", file=sys.stderr)
    for path in mocap6:
        takes.update(cmu(path))
    others = sorted(data.glob("cmu_bvh/*.bvh"))
    for path in others:
        takes.update(cmu_bvh(path))
    if not others:
        print(f"{data}/cmu_bvh is missing; training goes on without CMU's subjects 1 to 3 and 5 to 7", file=sys.stderr)
    if not mocap6:
        print(f"{data}/mocap6 is missing; training goes on without CMU", file=sys.stderr)
    if not takes:
        sys.exit("motion-capture.py: nothing was found; train without --motion-capture")
    write(out, takes)
    seconds = sum(len(take) for take in takes.values()) / RATE
    print(f"{out}: {len(takes)} takes, {seconds / 60:.0f} minutes", file=sys.stderr)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
