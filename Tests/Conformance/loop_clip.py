#!/usr/bin/env python3
"""Writes the true joints of a bundled clip as a pose stream, over and over: loop_clip.py CLIP.json TIMES > out.poses.jsonl"""
import json
import sys

# BlazePose's landmark for each of the 18 joints of a pose stream; the neck lies between the shoulders.
JOINTS = {
    "nose": 0, "neck": None, "right_shoulder": 12, "right_elbow": 14, "right_wrist": 16, "left_shoulder": 11,
    "left_elbow": 13, "left_wrist": 15, "right_hip": 24, "right_knee": 26, "right_ankle": 28, "left_hip": 23,
    "left_knee": 25, "left_ankle": 27, "right_eye": 5, "left_eye": 2, "right_ear": 8, "left_ear": 7,
}


def point(landmarks, index):
    if index is None:
        return [(a + b) / 2 for a, b in zip(landmarks[11][:2], landmarks[12][:2])]
    return landmarks[index][:2]


def main():
    clip = json.load(open(sys.argv[1]))
    width, height, frames = clip["width"], clip["height"], clip["data"]
    print(json.dumps({
        "format": "spotter.poses", "version": 1, "joints": list(JOINTS), "rate_hz": clip["fps"], "width": width,
        "height": height, "source": "loop"}))
    length = frames[-1]["t"] + 1 / clip["fps"]
    for turn in range(int(sys.argv[2])):
        for frame in frames:
            poses = []
            for number, person in enumerate(frame["people"]):
                points = [point(person["landmarks"], index) for index in JOINTS.values()]
                joints = [[round(x / width, 4), round(y / height, 4), 0.95] for x, y in points]
                poses.append({"track": number + 1, "keypoints": joints})
            print(json.dumps({"t": round(frame["t"] + turn * length, 4), "poses": poses}, separators=(",", ":")))


main()
