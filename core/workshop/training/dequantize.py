"""The float weights behind what shipped in int8, by the names that transformers gives them: what a run goes on from."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from transformers import AutoConfig, AutoTokenizer

from core.models.openvino_runtime import openvino
from core.models.weights import GRAPH, MANIFEST, joined

Weights = dict[str, torch.Tensor]
_WRAPPED, _UNNAMED = "model.", "onnx::"
"""What our own export puts before every name, and how an export calls weights that it has turned."""
_PARTS = ("bert.", "classifier")
_QUANTIZED, _SCALE, _ZERO = "_quantized", "_scale", "_zero_point"
_NORMALISED = "/LayerNormalization"


def as_floats(source: Path, folder: Path, kind: Any) -> Path:
    """`folder`, with the network of a model that shipped in it as floats, its head and its tokenizer; kind: its
    class in transformers. A `source` that holds floats already is returned as it is."""
    if not (source / MANIFEST).is_file():
        return source
    model = kind.from_config(AutoConfig.from_pretrained(source))
    model.load_state_dict(of_folder(source))
    model.save_pretrained(folder)
    AutoTokenizer.from_pretrained(source).save_pretrained(folder)
    return folder


def of_folder(folder: Path) -> Weights:
    """The weights of a folder that `export` or `export_int8` wrote."""
    return _of_openvino(folder) if (folder / GRAPH).is_file() else _of_onnx(joined(folder).tobytes())


def _of_onnx(content: bytes) -> Weights:
    """Of an ONNX file of a BERT: those kept as floats, and int8 ones times their scale."""
    model = onnx.load_from_string(content)
    held = {t.name.removeprefix(_WRAPPED): numpy_helper.to_array(t) for t in model.graph.initializer}
    found = {k: v for k, v in held.items() if k.startswith(_PARTS) and not k.endswith((_QUANTIZED, _SCALE, _ZERO))}
    tables = [k.removesuffix(_QUANTIZED) for k in held if k.startswith("bert.embeddings.") and k.endswith(_QUANTIZED)]
    found |= {name: _floats(held, name) for name in tables}
    for node in model.graph.node:
        if node.op_type == "MatMulInteger":  # the node's own name says where in the network it stands
            name = ".".join(node.name.strip("/").split("/")[:-1]).removeprefix(_WRAPPED)
            weights = node.input[1].removeprefix(_WRAPPED).removesuffix(_QUANTIZED)
            name = name if weights.startswith(_UNNAMED) else weights.removesuffix(".weight")
            found[f"{name}.weight"] = _floats(held, weights).T
    return {name: _tensor(values) for name, values in found.items()}


def _floats(held: Mapping[str, np.ndarray], name: str) -> np.ndarray:
    return (held[name + _QUANTIZED].astype(np.float32) - held[name + _ZERO].astype(np.float32)) * held[name + _SCALE]


def _of_openvino(folder: Path) -> Weights:
    """Of an OpenVINO graph: tables are what is gathered from, matrices what is multiplied by, and the constant that is
    added to a product its bias; a normalisation is a constant times and a constant plus."""
    graph = openvino.Core().read_model((folder / GRAPH).read_bytes(), openvino.Tensor(joined(folder)))
    found: dict[str, np.ndarray] = {}
    for node in graph.get_ordered_ops():
        found |= dict(_of_node(node))
    return {name: _tensor(values) for name, values in found.items()}


def _of_node(node: Any) -> Iterator[tuple[str, np.ndarray]]:
    place, kind = node.get_friendly_name(), node.get_type_name()
    name = ".".join(place.removesuffix("/WithoutBiases").strip("/").split("/")[:-1]).removeprefix(_WRAPPED)
    if place.endswith(_NORMALISED):
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
    """Those of a node's inputs that are constant."""
    return [held for value in node.input_values() if (held := _constant(value.get_node())) is not None]


_FOLDED = {
    "Convert": lambda values: values.astype(np.float32), "Reshape": np.reshape, "Subtract": np.subtract,
    "Multiply": np.multiply,
}  # fmt: skip
"""What stands between a constant in eight bits and the node that uses it."""


def _constant(node: Any) -> np.ndarray | None:
    """What a node holds that depends on no input; None for any other."""
    kind = node.get_type_name()
    if kind == "Constant":
        return np.array(node.data)
    if kind not in _FOLDED:
        return None
    parts = [_constant(value.get_node()) for value in node.input_values()]
    return None if any(part is None for part in parts) else _FOLDED[kind](*parts)


def _tensor(values: np.ndarray) -> torch.Tensor:
    return torch.tensor(np.array(values, dtype=np.float32))
