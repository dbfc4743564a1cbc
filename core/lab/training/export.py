"""Exports a trained cross-encoder as an int8 network in small files, and reads such files back as float weights.

Weights are stored in eight bits, with a scale per channel. Activations are quantised at run time, from their actual
values (core/models/openvino_runtime.py). We tried the alternative, SmoothQuant (Xiao et al., 2023), which fixes the
ranges of the activations beforehand and on CPUs without VNNI needs weights of seven bits. In a 12-layer model it
changed the predicted label of one in eight altered school sentences.
"""

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from core.lab.training.cross_encoder import Trained
from core.models.cross_encoders import CrossEncoder
from core.models.openvino_runtime import openvino
from core.models.weights import GRAPH, MANIFEST, digest, weights_of

if TYPE_CHECKING:
    import torch

_ONNX = "model.onnx"
_PART = 64_000_000
"""Maximum bytes of a file of weights, since repository hosts refuse larger files."""


def _by_place(model: Any, names: Sequence[str]) -> "torch.nn.Module":
    """A module that takes the inputs of `model` by position, in the order of `names`, and returns its first output, as
    an export requires."""
    import torch

    class First(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, *inputs: torch.Tensor) -> torch.Tensor:
            return self.model(**dict(zip(names, inputs, strict=True)))[0]

    return First()


def ship(folder: Path, trained: Trained) -> None:
    """Write the exported model to `folder`, and the trained weights in fp16 to its folder "trained"."""
    export(trained.model, trained.tokenizer, folder)
    weights = trained.model.state_dict().items()
    halved = {name: value.half() if value.is_floating_point() else value for name, value in weights}
    trained.model.save_pretrained(folder / "trained", state_dict=halved)
    trained.tokenizer.save_pretrained(folder / "trained")


def export(model: Any, tokenizer: Any, folder: Path) -> None:
    """Write `model` to `folder`, where core.models.networks finds it: graph, weights in parts, config and tokenizer.

    The model is left in eval mode.
    """
    import nncf

    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        whole = openvino.convert_model(_onnx(model, tokenizer, Path(scratch) / "model.onnx"))
    small = nncf.compress_weights(whole, mode=nncf.CompressWeightsMode.INT8_ASYM)
    openvino.save_model(small, folder / GRAPH, compress_to_fp16=False)
    _split(folder)
    model.config.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def export_int8(model: Any, tokenizer: Any, folder: Path) -> None:
    """Write `model` to `folder` as one ONNX file in int8, where core.models.networks finds it.

    Weights have one scale per tensor, and activations are quantised at run time: on a CPU without VNNI this runs 1.6
    times as fast as the same network under OpenVINO. Word vectors are int8, too. An output with a value per token has
    the tokens on its second axis.
    """
    from onnxruntime.quantization import QuantType, quantize_dynamic

    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        whole, small = Path(scratch) / "model.onnx", folder / _ONNX
        _onnx(model, tokenizer, whole)
        quantize_dynamic(whole, small, weight_type=QuantType.QInt8)
    (folder / MANIFEST).write_text(json.dumps({"parts": [{"file": _ONNX, "sha256": digest(small)}]}, indent=1) + "\n")
    model.config.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def _onnx(model: Any, tokenizer: Any, path: Path) -> Path:
    """Write `model` as ONNX to `path`, for any number of pairs of any length, and return `path`.

    The example that the export traces is padded; without padding, the network would have no attention mask.
    """
    import torch

    model.set_attn_implementation("eager")
    model.eval()
    example = tokenizer(
        ["A premise of some words.", "One."], ["A sentence.", "Two."], padding=True, return_tensors="pt"
    )
    names = list(example)
    axes = {name: {0: "pairs", 1: "tokens"} for name in names} | {"logits": {0: "pairs"}}
    if not model.__class__.__name__.endswith("ForSequenceClassification"):
        axes["logits"][1] = "tokens"
    torch.onnx.export(
        _by_place(model, names), tuple(example.values()), path, input_names=names, output_names=["logits"],
        dynamic_axes=axes, opset_version=17, dynamo=False,
    )  # fmt: skip
    model.eval()  # the export leaves it in training mode
    return path


def _split(folder: Path) -> None:
    """Split the file of weights beside the graph into parts of at most _PART bytes, and write the manifest that lists
    them."""
    whole = (folder / GRAPH).with_suffix(".bin")
    content, parts = whole.read_bytes(), []
    for number, start in enumerate(range(0, len(content), _PART), 1):
        path = folder / f"weights.{number}.bin"
        path.write_bytes(content[start : start + _PART])
        parts.append({"file": path.name, "sha256": digest(path)})
    whole.unlink()
    (folder / MANIFEST).write_text(json.dumps({"parts": parts}, indent=1) + "\n", encoding="utf-8")


def agreement(before: CrossEncoder, after: CrossEncoder, pairs: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """How well an exported model agrees with the trained one on `pairs`: "labels_kept", the share of equal predicted
    labels, and "n", the number of pairs."""
    one, other = (model.logits(list(pairs)).argmax(1) for model in (before, after))
    return {"labels_kept": round(float((one == other).mean()), 4), "n": len(pairs)}


Weights = dict[str, "torch.Tensor"]
_WRAPPED, _UNNAMED = "model.", "onnx::"
"""Prefix of every weight's name in our own exports, and of the names that an ONNX export invents for transposed
weights."""
_PARTS = ("bert.", "classifier")
_QUANTIZED, _SCALE, _ZERO = "_quantized", "_scale", "_zero_point"
_NORMALISED = "/LayerNormalization"


def as_floats(source: Path, folder: Path, kind: Any) -> Path:
    """Write a shipped model to `folder` as float weights with its head and its tokenizer, and return `folder`.

    kind: its class in transformers. A `source` that has float weights already is returned instead.
    """
    from transformers import AutoConfig, AutoTokenizer

    if not (source / MANIFEST).is_file():
        return source
    model = kind.from_config(AutoConfig.from_pretrained(source))
    model.load_state_dict(of_folder(source))
    model.save_pretrained(folder)
    AutoTokenizer.from_pretrained(source).save_pretrained(folder)
    return folder


def of_folder(folder: Path) -> Weights:
    """The weights in a folder written by `export` or `export_int8`."""
    return _of_openvino(folder) if (folder / GRAPH).is_file() else _of_onnx(weights_of(folder).tobytes())


def _of_onnx(content: bytes) -> Weights:
    """The weights of a BERT in an ONNX file: float ones as they are, int8 ones times their scale."""
    import onnx
    from onnx import numpy_helper

    model = onnx.load_from_string(content)
    arrays = {t.name.removeprefix(_WRAPPED): numpy_helper.to_array(t) for t in model.graph.initializer}
    float_weights = {
        k: v for k, v in arrays.items() if k.startswith(_PARTS) and not k.endswith((_QUANTIZED, _SCALE, _ZERO))
    }
    tables = [k.removesuffix(_QUANTIZED) for k in arrays if k.startswith("bert.embeddings.") and k.endswith(_QUANTIZED)]
    float_weights |= {name: _floats(arrays, name) for name in tables}
    for node in model.graph.node:
        if node.op_type == "MatMulInteger":  # the node's own name is its path in the network
            name = ".".join(node.name.strip("/").split("/")[:-1]).removeprefix(_WRAPPED)
            weights = node.input[1].removeprefix(_WRAPPED).removesuffix(_QUANTIZED)
            name = name if weights.startswith(_UNNAMED) else weights.removesuffix(".weight")
            float_weights[f"{name}.weight"] = _floats(arrays, weights).T
    return {name: _tensor(values) for name, values in float_weights.items()}


def _floats(arrays: Mapping[str, np.ndarray], name: str) -> np.ndarray:
    return (arrays[name + _QUANTIZED].astype(np.float32) - arrays[name + _ZERO].astype(np.float32)) * arrays[
        name + _SCALE
    ]


def _of_openvino(folder: Path) -> Weights:
    """The weights of an OpenVINO graph by their role: embedding tables (gathered from), matrices (multiplied by),
    biases (added to a product), and normalisations (a product and a sum of constants)."""
    graph = openvino.Core().read_model((folder / GRAPH).read_bytes(), openvino.Tensor(weights_of(folder)))
    weights: dict[str, np.ndarray] = {}
    for node in graph.get_ordered_ops():
        weights |= dict(_of_node(node))
    return {name: _tensor(values) for name, values in weights.items()}


def _of_node(node: Any) -> Iterator[tuple[str, np.ndarray]]:
    node_name, kind = node.get_friendly_name(), node.get_type_name()
    name = ".".join(node_name.removesuffix("/WithoutBiases").strip("/").split("/")[:-1]).removeprefix(_WRAPPED)
    if node_name.endswith(_NORMALISED):
        scaled = next(v.get_node() for v in node.input_values() if v.get_node().get_type_name() == "Multiply")
        for part, (values,) in (("weight", _constants(scaled)), ("bias", _constants(node))):
            yield f"{name}.{part}", values.reshape(-1)
    elif kind == "Gather" and (table := _constant(node.input_value(0).get_node())) is not None and table.ndim == 2:
        if table.dtype == np.float32:
            yield f"{name}.weight", table
    elif kind == "MatMul" and (matrix := _constant(node.input_value(1).get_node())) is not None:
        yield f"{name}.weight", matrix if node.get_attributes()["transpose_b"] else matrix.T
        (reader,) = node.output(0).get_target_inputs()
        (bias,) = _constants(reader.get_node())
        yield f"{name}.bias", bias.reshape(-1)


def _constants(node: Any) -> list[np.ndarray]:
    """The constant inputs of a node."""
    return [held for value in node.input_values() if (held := _constant(value.get_node())) is not None]


_FOLDED = {
    "Convert": lambda values: values.astype(np.float32), "Reshape": np.reshape, "Subtract": np.subtract,
    "Multiply": np.multiply,
}  # fmt: skip
"""Operations between an int8 constant and the node that uses it."""


def _constant(node: Any) -> np.ndarray | None:
    """The value of a node that is computed from constants only; None for any other node."""
    kind = node.get_type_name()
    if kind == "Constant":
        return np.array(node.data)
    if kind not in _FOLDED:
        return None
    parts = [_constant(value.get_node()) for value in node.input_values()]
    return None if any(part is None for part in parts) else _FOLDED[kind](*parts)


def _tensor(values: np.ndarray) -> "torch.Tensor":
    import torch

    return torch.tensor(np.array(values, dtype=np.float32))
