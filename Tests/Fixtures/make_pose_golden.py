"""Writes pose_golden.json: the results of LiteRT and OpenCV for the stills with BlazePose's two networks.

    pip install ai-edge-litert "opencv-python-headless<5" numpy
    python3 Tests/Fixtures/make_pose_golden.py [--stills FOLDER] [--output FILE]

The stills in Tests/Fixtures/stills are frames of the rendered clips. The steps before and after the networks are
those of MediaPipe's pose graphs (letterbox, weighted suppression, heatmap refinement), for the best detection only.
"""
import argparse
import json
import math
import pathlib

import cv2
import numpy as np
from ai_edge_litert.interpreter import Interpreter

HERE = pathlib.Path(__file__).parent
MODELS = HERE.parent.parent / "Models"


def logistic(x):
    return 1 / (1 + np.exp(-np.clip(x, -100, 100)))


class Network:
    def __init__(self, path):
        self.interpreter = Interpreter(str(path), num_threads=1)
        self.interpreter.allocate_tensors()
        self.input = self.interpreter.get_input_details()[0]["index"]
        self.outputs = {tuple(map(int, o["shape"][1:])): o["index"] for o in self.interpreter.get_output_details()}

    def __call__(self, picture):
        self.interpreter.set_tensor(self.input, picture[None].astype(np.float32))
        self.interpreter.invoke()
        return {shape: self.interpreter.get_tensor(index)[0] for shape, index in self.outputs.items()}


def cut(picture, region, side, border):
    """Cuts out a region (centre x and y, size, angle) as side x side pixels, without a half-pixel offset."""
    x, y, size, angle = region
    corners = cv2.boxPoints(((x, y), (size, size), math.degrees(angle))).astype(np.float32)
    target = np.array([[0, side], [0, 0], [side, 0], [side, side]], np.float32)
    transform = cv2.getPerspectiveTransform(corners, target)
    return cv2.warpPerspective(picture, transform, (side, side), flags=cv2.INTER_LINEAR, borderMode=border)


def overlap(a, b):
    width, height = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    if width <= 0 or height <= 0:
        return 0
    area = lambda box: (box[2] - box[0]) * (box[3] - box[1])
    return width * height / (area(a) + area(b) - width * height)


def detections(network, picture):
    height, width = picture.shape[:2]
    side = max(height, width)
    outputs = network(cut(picture, (width / 2, height / 2, side, 0), 224, cv2.BORDER_CONSTANT) * (2 / 255.0) - 1)
    anchors = np.concatenate([
        np.repeat([((i % n + 0.5) / n, (i // n + 0.5) / n) for i in range(n * n)], rows, axis=0)
        for n, rows in ((28, 2), (14, 2), (7, 6))])
    scores = logistic(outputs[(2254, 1)][:, 0])
    raw = outputs[(2254, 12)] / 224
    middle = raw[:, :2] + anchors
    boxes = np.concatenate([middle - raw[:, 2:4] / 2, middle + raw[:, 2:4] / 2], axis=1)
    keypoints = raw[:, 4:].reshape(-1, 4, 2) + anchors[:, None]
    rest = [i for i in np.argsort(-scores, kind="stable") if scores[i] >= 0.5]
    padding = (1 - np.array([width, height]) / side) / 2
    found = []
    while rest:
        same = [i for i in rest if overlap(boxes[rest[0]], boxes[i]) > 0.3]
        weights = scores[same] / scores[same].sum()
        points = (keypoints[same] * weights[:, None, None]).sum(0)
        found.append({"score": float(scores[rest[0]]), "keypoints": (points - padding) / (1 - 2 * padding)})
        rest = [i for i in rest if i not in same]
    return found


def region(keypoints, width, height):
    (x, y), (reach_x, reach_y) = keypoints[0] * [width, height], keypoints[1] * [width, height]
    angle = math.pi / 2 - math.atan2(y - reach_y, reach_x - x)
    angle -= 2 * math.pi * math.floor((angle + math.pi) / (2 * math.pi))
    return x, y, 2.5 * math.hypot(reach_x - x, reach_y - y), angle


def refined(points, heatmap, reach=4):
    side = heatmap.shape[0]
    for index, point in enumerate(points):
        column, row = int(point[0] * side), int(point[1] * side)
        if not (0 <= column < side and 0 <= row < side):
            continue
        xs = np.arange(max(0, column - reach), min(side, column + reach + 1))
        ys = np.arange(max(0, row - reach), min(side, row + reach + 1))
        sure = logistic(heatmap[ys[0]:ys[-1] + 1, xs[0]:xs[-1] + 1, index])
        if sure.max() >= 0.5:
            point[0] = (sure * xs).sum() / sure.sum() / side
            point[1] = (sure * ys[:, None]).sum() / sure.sum() / side


def landmarks(network, picture, where):
    height, width = picture.shape[:2]
    x, y, size, angle = where
    outputs = network(cut(picture, where, 256, cv2.BORDER_REPLICATE) / 255.0)
    points = outputs[(195,)].reshape(39, 5).astype(np.float64)
    points[:, :3] /= 256
    points[:, 3:] = logistic(points[:, 3:])
    refined(points, outputs[(64, 64, 39)])
    across, down = (points[:, 0] - 0.5) * size, (points[:, 1] - 0.5) * size
    points[:, 0] = (x + across * math.cos(angle) - down * math.sin(angle)) / width
    points[:, 1] = (y + across * math.sin(angle) + down * math.cos(angle)) / height
    return float(outputs[(1,)][0]), points[:33]


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--stills", type=pathlib.Path, default=HERE / "stills")
    arguments.add_argument("--output", type=pathlib.Path, default=HERE / "pose_golden.json")
    arguments = arguments.parse_args()
    detector = Network(MODELS / "pose_detection.tflite")
    landmarker = Network(MODELS / "pose_landmark_full.tflite")
    stills = []
    for path in sorted(arguments.stills.glob("*.png")):
        picture = np.ascontiguousarray(cv2.imread(str(path))[:, :, ::-1])
        height, width = picture.shape[:2]
        people = detections(detector, picture)
        still = {"file": path.name, "scores": [round(p["score"], 5) for p in people]}
        if people:
            where = region(people[0]["keypoints"], width, height)
            presence, points = landmarks(landmarker, picture, where)
            still["region"] = [round(v, 4) for v in where]
            still["presence"] = round(presence, 5)
            still["landmarks"] = [[round(v, 6) for v in (p[0], p[1], p[3])] for p in points.tolist()]
        stills.append(still)
    arguments.output.write_text(
        '{"stills":[\n' + ",\n".join(json.dumps(s, separators=(",", ":")) for s in stills) + "\n]}\n")


main()
