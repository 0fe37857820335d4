#!/usr/bin/env python3
"""Writes the valid examples of Tests/Fuzz/corpus that are not hand-written text: make_seeds.py"""
import json
import math
import pathlib
import struct

CORPUS = pathlib.Path(__file__).parent / "corpus"
JOINTS = [
    "nose", "neck", "right_shoulder", "right_elbow", "right_wrist", "left_shoulder", "left_elbow", "left_wrist",
    "right_hip", "right_knee", "right_ankle", "left_hip", "left_knee", "left_ankle", "right_eye", "left_eye",
    "right_ear", "left_ear"]


def write(reader, name, contents):
    file = CORPUS / reader / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(contents if isinstance(contents, bytes) else contents.encode())


def pose_stream():
    """A person who moves down and up, four frames a second for six seconds: enough for windows."""
    lines = [json.dumps({
        "format": "spotter.poses", "version": 1, "joints": JOINTS, "rate_hz": 4, "width": 64, "height": 48,
        "source": "seed"}, separators=(",", ":"))]
    for frame in range(24):
        t, down = frame / 4, 0.1 * math.sin(frame / 4 * math.pi)
        points = [[round(0.5 + 0.05 * math.sin(joint), 2), round(0.2 + joint * 0.03 + down, 2), 0.9]
                  for joint in range(18)]
        lines.append(json.dumps({"t": t, "poses": [{"track": 1, "keypoints": points}]}, separators=(",", ":")))
    write("pose-stream", "squat.poses.jsonl", "\n".join(lines) + "\n")
    for time in ("1e18", "-1e300", "1e9", "1e9999"):
        write("pose-stream", f"time-{time}.poses.jsonl", "\n".join(lines[:9] + [lines[9].replace("2.0", time)]) + "\n")
    write("pose-stream", "nobody.poses.jsonl", lines[0] + '\n{"t":0,"poses":[]}\n\n{"t":12.5,"poses":[]}\n')


def people():
    # See Tests/FuzzReaders/People.swift: a step of 1/12 s, then where somebody stands.
    write("people", "steady", b"\0" + b"".join(bytes([10, 3, 128, 90 + frame % 20]) for frame in range(60)))
    write("people", "two-and-a-jump", b"\1" + b"".join(
        bytes([0x40 | 12, 2, 0, 1, 3, 60, 90, 4, 190, 90]) for _ in range(40))
        + b"\x80" + struct.pack(">d", 1000.0) + bytes([1, 128, 90]) * 2)
    # A frame with each such time between others; the first one found was NaN.
    write("people", "mad-times", b"\0" + b"".join(
        bytes([10, 3, 128, 90]) * 30 + b"\x80" + struct.pack(">d", time) + bytes([3, 128, 90])
        for time in (math.nan, math.inf, -math.inf, 1e300, -1e19, 1e18, 1e9, -1e9, 5e-324)))


def model():
    """The smallest network there is."""
    labels, channels, width, kernel = ["squat", "none"], 110, 1, 1
    description = {
        "name": "seed", "labels": labels, "counted_labels": ["squat"], "joints": JOINTS, "feature_version": 1,
        "network": {"widths": [width] * 3, "kernel": kernel, "channels": channels, "labels": len(labels)},
        "window": 12, "stride": 4, "rate": 30, "temperature": 1,
        "thresholds": {"min_confidence": 0.5, "min_pose_ratio": 0.5, "max_distance": 4}, "display_names": {},
        "author": "", "licence": "", "description": "", "created": "", "tool": "", "training_data_sha256": "",
        "training_clips": 0, "seed": 0, "training_parameters": {}}
    shapes = {"input.norm": [channels], "output.weight": [2 * width, len(labels)], "output.bias": [len(labels)],
              "open_set.means": [len(labels), 2 * width], "open_set.factor": [2 * width, 2 * width]}
    for stage in ("stage1.entry", "stage1.residual1", "stage1.residual2", "stage2.entry", "stage2.residual1",
                  "stage2.residual2", "stage3.entry"):
        inputs = channels if stage == "stage1.entry" else width
        shapes[stage + ".weight"] = [3 if stage == "stage3.entry" else kernel, inputs, width]
        shapes[stage + ".norm"] = [width]
    for name in [name for name in shapes if name.endswith("norm")]:
        for part in ("scale", "offset", "mean", "variance"):
            shapes[f"{name}.{part}"] = shapes[name]
        del shapes[name]
    header, numbers = {"__metadata__": {"spotter": json.dumps(description)}}, b""
    for name, shape in sorted(shapes.items()):
        count = math.prod(shape)
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [len(numbers), len(numbers) + 4 * count]}
        numbers += struct.pack("<f", 0.5) * count
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    write("model", "smallest.safetensors", struct.pack("<Q", len(text)) + text + numbers)
    write("model", "no-tensors.safetensors", struct.pack("<Q", 2) + b"{}")


def imports():
    """Numbers that an import once accepted and that crashed or stopped later readers."""
    whole = (CORPUS / "imports/whole.jsonl").read_text()
    for name, old, new in (
            ("frames-2e63", '"frames":300', f'"frames":{2**63 - 1}'),
            ("sessions-2e63", '"sessions":1', f'"sessions":{2**63 - 1}'), ("reps-2e63", '"reps":5', f'"reps":-{2**63}'),
            ("seconds-1e19", '"seconds":10.0', '"seconds":1e19'),
            ("conf-1e308", '"conf_mean":0.9', '"conf_mean":1e308'),
            ("label-20000", '"label":"squat"', f'"label":"{"x" * 20_000}"'),
            ("year-0", "2026-11-21T18:00:00", "0000-01-01T00:00:00")):
        assert old in whole
        write("imports", name + ".jsonl", whole.replace(old, new))


class Table:
    """A FlatBuffers table: its fields by number, each (format, number), a list of numbers, or tables."""

    def __init__(self, fields):
        self.fields = fields


def flat_buffer(root, identifier):
    """Lays everything out in the order of its mention, so that all offsets point forward."""
    out = bytearray(struct.pack("<I4s", 0, identifier))
    todo = [(0, root)]

    def align(to):
        out.extend(b"\0" * (-len(out) % to))

    while todo:
        place, value = todo.pop(0)
        align(8)
        if isinstance(value, Table):
            slots = max(value.fields, default=-1) + 1
            offsets, body = [0] * slots, bytearray(4)
            later = []
            for field, content in value.fields.items():
                if isinstance(content, tuple) and isinstance(content[1], int):
                    body.extend(b"\0" * (-len(body) % struct.calcsize(content[0])))
                    offsets[field] = len(body)
                    body.extend(struct.pack("<" + content[0], content[1]))
                else:
                    body.extend(b"\0" * (-len(body) % 4))
                    offsets[field] = len(body)
                    later.append((len(body), content))
                    body.extend(b"\0" * 4)
            vtable = len(out)
            out.extend(struct.pack(f"<HH{slots}H", 4 + 2 * slots, len(body), *offsets))
            align(4)
            start = len(out)
            struct.pack_into("<i", body, 0, start - vtable)
            out.extend(body)
            todo.extend((start + offset, content) for offset, content in later)
        else:
            form, items = value
            start = len(out)
            if form == "table":
                out.extend(struct.pack("<I", len(items)) + b"\0" * 4 * len(items))
                todo.extend((start + 4 + 4 * index, item) for index, item in enumerate(items))
            else:
                out.extend(struct.pack(f"<I{len(items)}{form}", len(items), *items))
        struct.pack_into("<I", out, place, start - place)
    return bytes(out)


class Network:
    """Builds a .tflite file (tensorflow/lite/schema/schema.fbs, version 3)."""
    CODES = {"add": 0, "concatenation": 2, "convolution": 3, "depthwise": 4, "depth_to_space": 5, "dequantize": 6,
             "sigmoid": 14, "max_pool": 17, "reshape": 22, "double": 23, "pad": 34}

    def __init__(self):
        self.tensors, self.buffers, self.operators = [], [Table({})], []

    def tensor(self, shape, data=None, kind=0):
        buffer = 0
        if data is not None:
            buffer = len(self.buffers)
            self.buffers.append(Table({0: ("B", data)}))
        self.tensors.append(Table({0: ("i", shape), 1: ("B", kind), 2: ("I", buffer)}))
        return len(self.tensors) - 1

    def weights(self, shape, half=False):
        numbers = [0 if index % 3 else 0.01 * (index % 7 - 3) for index in range(math.prod(shape))]
        data = struct.pack(f"<{len(numbers)}{'e' if half else 'f'}", *numbers)
        tensor = self.tensor(shape, data, kind=1 if half else 0)
        return self.operator("dequantize", [tensor], shape) if half else tensor

    def operator(self, name, inputs, shape, options=None):
        output = self.tensor(shape)
        fields = {0: ("I", list(self.CODES).index(name)), 1: ("i", inputs), 2: ("i", [output])}
        if options is not None:
            # This is the union's type; the reader infers it from the operator.
            fields |= {3: ("B", 1), 4: Table(options)}
        self.operators.append(Table(fields))
        return output

    def convolution(self, value, shape, inputs, size=1, stride=1, relu=True, half=False):
        weights = self.weights([shape[3], size, size, inputs], half)
        options = {0: ("b", 0), 1: ("i", stride), 2: ("i", stride), 3: ("b", 3 if relu else 0), 4: ("i", 1),
                   5: ("i", 1)}
        return self.operator("convolution", [value, weights, self.weights([shape[3]])], shape, options)

    def depthwise(self, value, shape, size=3, stride=1):
        weights = self.weights([1, size, size, shape[3]])
        options = {0: ("b", 0), 1: ("i", stride), 2: ("i", stride), 3: ("i", 1), 4: ("b", 3), 5: ("i", 1),
                   6: ("i", 1)}
        return self.operator("depthwise", [value, weights, self.weights([shape[3]])], shape, options)

    def file(self, inputs, outputs):
        codes = [Table({0: ("b", code), 3: ("i", code)}) for code in self.CODES.values()]
        graph = Table({
            0: ("table", self.tensors), 1: ("i", inputs), 2: ("i", outputs), 3: ("table", self.operators)})
        return flat_buffer(
            Table({0: ("I", 3), 1: ("table", codes), 2: ("table", [graph]), 4: ("table", self.buffers)}), b"TFL3")


def network():
    """A network that both engines can run: a picture, blocks, an addition, a doubling, and two outputs."""
    net = Network()
    picture = net.tensor([1, 16, 16, 3])
    first = net.convolution(picture, [1, 8, 8, 4], 3, size=3, stride=2)
    filtered = net.depthwise(first, [1, 8, 8, 4])
    narrow = net.convolution(filtered, [1, 8, 8, 4], 4, relu=False, half=True)
    wide = net.convolution(narrow, [1, 8, 8, 8], 4)
    small = net.depthwise(wide, [1, 4, 4, 8], stride=2)
    joined = net.convolution(small, [1, 4, 4, 4], 8, relu=False)
    doubled = net.operator("double", [joined, net.tensor([2], struct.pack("<2i", 8, 8), kind=2)], [1, 8, 8, 4],
                           {2: ("B", 0), 3: ("B", 1)})
    added = net.operator("add", [doubled, narrow], [1, 8, 8, 4], {0: ("b", 0)})
    heads = [net.convolution(value, [1, size, size, 2], 4, relu=False) for value, size in ((added, 8), (joined, 4))]
    flat = [net.operator("reshape", [head], [1, size * size, 2]) for head, size in zip(heads, (8, 4))]
    together = net.operator("concatenation", flat, [1, 80, 2])
    write("network", "both-engines.tflite", net.file([picture], [together, added]))

    net = Network()
    picture = net.tensor([1, 16, 16, 3])
    first = net.convolution(picture, [1, 8, 8, 8], 3, size=3, stride=2)
    padding = net.tensor([4, 2], struct.pack("<8i", 0, 0, 1, 1, 1, 1, 0, 0), kind=2)
    padded = net.operator("pad", [first, padding], [1, 10, 10, 8])
    filtered = net.depthwise(padded, [1, 8, 8, 8])
    narrow = net.convolution(filtered, [1, 8, 8, 4], 8, relu=False)
    pooled = net.operator("max_pool", [narrow], [1, 4, 4, 4],
                          {1: ("i", 2), 2: ("i", 2), 3: ("i", 2), 4: ("i", 2), 5: ("b", 0)})
    spread = net.operator("depth_to_space", [pooled], [1, 8, 8, 1], {0: ("i", 2)})
    sure = net.operator("sigmoid", [narrow], [1, 8, 8, 4])
    write("network", "pool-pad-sigmoid.tflite", net.file([picture], [sure, spread]))


def broker_packets():
    def packet(first, *parts):
        body = b"".join(parts)
        return bytes([first, len(body)]) + body

    one = b"\0\1a"
    properties = {
        "publish": b"\1\1" b"\2\0\0\0\x09" b"\3" + one + b"\x08" + one + b"\x09\0\2\0\xff" b"\x0b\x81\1" b"\x26" + one + one,
        "connack": b"\x11\0\0\0\x09" b"\x13\0\x09" b"\x21\0\x05" b"\x22\0\2" b"\x24\1" b"\x25\1" b"\x27\0\1\0\0" b"\x28\1"
                   b"\x29\1" b"\x2a\0" b"\x1f" + one,
        "other": b"\x1f" + one + b"\x26" + one + one,
    }
    props = {kind: bytes([len(value)]) + value for kind, value in properties.items()}
    message = packet(0x32, one, b"\0\7", props["publish"], b"{}") + packet(0x31, one, b"\0", b"x")
    answers = (packet(0x90, b"\0\1", props["other"], b"\1") + packet(0x40, b"\0\2\0", props["other"])
               + packet(0x50, b"\0\2") + packet(0x62, b"\0\2") + packet(0x70, b"\0\2") + packet(0xB0, b"\0\1\0\0")
               + packet(0xD0) + packet(0xE0, b"\x8b", props["other"]))
    write("broker-packets", "messages-5", b"\0" + message + answers)
    write("broker-packets", "connack-5", b"\2" + packet(0x20, b"\0\0", props["connack"]) + message)
    write("broker-packets", "refusal-5", b"\2" + packet(0x20, b"\0\x87", props["other"]))
    write("broker-packets", "refusal-3-1-1-to-5", b"\2" + packet(0x20, b"\0\1"))
    write("broker-packets", "messages-3-1-1", b"\1" + packet(0x32, one, b"\0\7", b"{}") + packet(0x90, b"\0\1\1")
          + packet(0x40, b"\0\2") + packet(0xD0))
    for kind, first, head in (("connack", 0x20, b"\0\0"), ("publish", 0x30, one), ("suback", 0x90, b"\0\1"),
                              ("puback", 0x40, b"\0\2\0"), ("disconnect", 0xE0, b"\0")):
        start = b"\2" if kind == "connack" else b"\0"
        write("broker-packets", f"unknown-property-{kind}", start + packet(first, head, b"\2\x7f\0", b"\1"))


for make in (pose_stream, people, model, imports, network, broker_packets):
    make()
