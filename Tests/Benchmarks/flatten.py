"""Writes Spotter's two networks as flat graphs that a small C program can build: one line a tensor or layer.

    python3 Tests/Benchmarks/flatten.py folder

For each network: NAME.graph, and NAME.floats with its weights, a random input and the outputs that LiteRT's reference
kernels give for it. A line's last numbers are offsets into NAME.floats, in floats. The layers are those of the model,
without Spotter's graph optimisations. Left out are the segmentation, which Spotter does not run either, and layers that
cost nothing: PAD (a window's margins), RESHAPE and CONCATENATION (layout in memory).
"""
import pathlib
import sys

import numpy as np
from ai_edge_litert import schema_py_generated as schema
from ai_edge_litert.interpreter import Interpreter, OpResolverType

MODELS = pathlib.Path(__file__).resolve().parent.parent.parent / "Models"
LEFT_OUT = {(1, 256, 256, 1)}  # the segmentation
NETWORKS = {"landmark": ("pose_landmark_full.tflite", 0, 1), "detector": ("pose_detection.tflite", -1, 1)}
OPERATORS = {value: name for name, value in vars(schema.BuiltinOperator).items() if not name.startswith("_")}
LIMITS = {schema.ActivationFunctionType.NONE: "-inf inf", schema.ActivationFunctionType.RELU6: "0 6"}


class FlatGraph:
    """A model's graph as lines, each after its inputs, and the floats to which the lines point."""

    def __init__(self, path, lowest, highest):
        model = schema.ModelT.InitFromPackedBuf(path.read_bytes(), 0)
        graph = model.subgraphs[0]
        codes = [OPERATORS[max(c.builtinCode, c.deprecatedBuiltinCode)] for c in model.operatorCodes]
        self.shapes = [tuple(int(n) for n in tensor.shape) for tensor in graph.tensors]
        self.producer = {int(o.outputs[0]): (codes[o.opcodeIndex], o) for o in graph.operators}
        # LiteRT unpacks half-precision and sparse weights itself, provided that it preserves all tensors.
        self.litert = Interpreter(str(path), experimental_op_resolver_type=OpResolverType.BUILTIN_REF,
                                  experimental_preserve_all_tensors=True)
        self.litert.allocate_tensors()
        entry = int(graph.inputs[0])
        noise = np.random.default_rng(1).uniform(lowest, highest, self.shapes[entry]).astype(np.float32)
        self.litert.set_tensor(entry, noise)
        self.litert.invoke()

        self.lines, self.floats, self.size, self.numbers = [], [], 0, {}
        self.outputs = [part for t in graph.outputs if self.shapes[t] not in LEFT_OUT for part in self.parts(t)]
        self.name(entry, "input", noise)
        for tensor in self.outputs:
            self.add(tensor)

    def values(self, tensor):
        return self.litert.get_tensor(int(tensor))

    def store(self, values):
        offset, self.size = self.size, self.size + values.size
        self.floats.append(np.ascontiguousarray(values, np.float32).ravel())
        return offset

    def parts(self, tensor):
        """The tensors that hold this one's values: several if it is their concatenation."""
        kind, operator = self.producer.get(int(tensor), (None, None))
        if kind not in ("RESHAPE", "CONCATENATION"):
            return [int(tensor)]
        sources = operator.inputs if kind == "CONCATENATION" else operator.inputs[:1]
        return [part for source in sources for part in self.parts(source)]

    def name(self, tensor, kind, values=None):
        self.numbers[tensor] = number = len(self.numbers)
        _, height, width, channels = self.shapes[tensor]
        offset = f" {self.store(values)}" if values is not None else ""
        self.lines.append(f"{kind} {number} {height} {width} {channels}{offset}")

    def add(self, tensor):
        """Adds the layer that makes a tensor, after its inputs, and returns the tensor's number."""
        [tensor] = self.parts(tensor)
        if tensor in self.numbers:
            return self.numbers[tensor]
        kind, operator = self.producer[tensor]
        options, source = operator.builtinOptions, int(operator.inputs[0])
        if kind in ("CONV_2D", "DEPTHWISE_CONV_2D"):
            line = self.convolution(kind, operator, tensor)
        elif kind == "ADD":
            first, second = (self.add(t) for t in operator.inputs)
            line = f"add {first} {{}} {second} {LIMITS[options.fusedActivationFunction]}"
        elif kind == "MAX_POOL_2D":
            assert options.filterWidth == options.filterHeight == options.strideW == options.strideH
            line = f"pool {self.add(source)} {{}} {options.filterWidth}"
        elif kind == "RESIZE_BILINEAR":
            assert options.halfPixelCenters and not options.alignCorners
            line = f"resize {self.add(source)} {{}}"
        elif kind == "DEPTH_TO_SPACE":
            line = f"depth_to_space {self.add(source)} {{}} {options.blockSize}"
        elif kind == "LOGISTIC":
            line = f"logistic {self.add(source)} {{}}"
        else:
            raise ValueError(f"the model has a layer this script does not know: {kind}")
        is_output = tensor in self.outputs
        self.name(tensor, "output" if is_output else "tensor", self.values(tensor) if is_output else None)
        self.lines.append(line.format(self.numbers[tensor]))
        return self.numbers[tensor]

    def convolution(self, kind, operator, tensor):
        options, source = operator.builtinOptions, int(operator.inputs[0])
        weights, bias = self.values(operator.inputs[1]), self.values(operator.inputs[2])
        size, stride = weights.shape[1], options.strideH
        assert weights.shape[2] == size and options.strideW == stride and options.dilationHFactor == 1
        if self.producer.get(source, ("",))[0] == "PAD":
            pad = self.producer[source][1]
            source = int(pad.inputs[0])
            (top, bottom), (left, right) = self.values(pad.inputs[1])[1:3]
        elif options.padding == schema.Padding.SAME:
            top, bottom = margins(self.shapes[source][1], self.shapes[tensor][1], size, stride)
            left, right = margins(self.shapes[source][2], self.shapes[tensor][2], size, stride)
        else:
            top = bottom = left = right = 0
        word = "convolution" if kind == "CONV_2D" else "depthwise"
        return (f"{word} {self.add(source)} {{}} {size} {stride} {top} {left} {bottom} {right} "
                f"{LIMITS[options.fusedActivationFunction]} {self.store(weights)} {self.store(bias)}")


def margins(entering, leaving, size, stride):
    missing = max((leaving - 1) * stride + size - entering, 0)
    return missing // 2, missing - missing // 2


def main():
    folder = pathlib.Path(sys.argv[1])
    for name, (file, lowest, highest) in NETWORKS.items():
        graph = FlatGraph(MODELS / file, lowest, highest)
        np.concatenate(graph.floats).tofile(folder / f"{name}.floats")
        (folder / f"{name}.graph").write_text("\n".join([f"tensors {len(graph.numbers)}", *graph.lines]) + "\n")


main()
