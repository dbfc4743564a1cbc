"""From a trained cross-encoder to what is shipped: a graph with int8 weights, in files that a repository takes.

Weights are kept per channel in eight bits; activations are quantised where the graph runs, from the numbers at hand
(core/models/openvino_runtime.py). Ranges of the activations fixed beforehand, with SmoothQuant (Xiao et al., 2023) and
weights of seven bits, which CPUs without VNNI need then, cost a 12-layer model one label in eight of altered school
sentences.
"""

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from core.models.cross_encoders import CrossEncoder
from core.models.openvino_runtime import openvino
from core.models.weights import GRAPH, MANIFEST, digest
from core.workshop.training.cross_encoder import Trained

_ONNX = "model.onnx"
_PART = 64_000_000
"""Bytes of one file of weights: hosts of repositories refuse large ones."""


class _Logits(torch.nn.Module):
    """A model that takes its inputs by place, as an export wants them."""

    def __init__(self, model: Any, names: Sequence[str]) -> None:
        super().__init__()
        self.model, self.names = model, names

    def forward(self, *inputs: torch.Tensor) -> torch.Tensor:
        return self.model(**dict(zip(self.names, inputs, strict=True))).logits


def ship(folder: Path, trained: Trained) -> None:
    """What the app loads, in `folder`; what was trained, in fp16 in its folder "trained", to go on from."""
    export(trained.model, trained.tokenizer, folder)
    trained.model.save_pretrained(folder / "trained", state_dict=_halved(trained.model))
    trained.tokenizer.save_pretrained(folder / "trained")


def _halved(model: Any) -> dict[str, torch.Tensor]:
    return {name: value.half() if value.is_floating_point() else value for name, value in model.state_dict().items()}


def export(model: Any, tokenizer: Any, folder: Path) -> None:
    """Write `model` to `folder`: graph, weights in parts, config and tokenizer.

    The model is left in eval mode; folder: where Compiled finds it.
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
    """Write `model` to `folder` as one ONNX file in int8, where OnnxNetwork finds it.

    Weights are kept per tensor, activations quantised where they are read: on a CPU without VNNI this runs 1.6 times as
    fast as the same network under OpenVINO. Word vectors are int8, too. A network of whose outputs some are about every
    token has these on its second axis.
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
    """The graph as ONNX, any number of pairs of any length; the example is padded, or the mask would be left out."""
    model.set_attn_implementation("eager")
    model.eval()
    example = tokenizer(
        ["A premise of some words.", "One."], ["A sentence.", "Two."], padding=True, return_tensors="pt"
    )
    names = list(example)
    axes = {name: {0: "pairs", 1: "tokens"} for name in names} | {"logits": {0: "pairs"}}
    if model.__class__.__name__.endswith("ForTokenClassification"):
        axes["logits"][1] = "tokens"
    torch.onnx.export(
        _Logits(model, names), tuple(example.values()), path, input_names=names, output_names=["logits"],
        dynamic_axes=axes, opset_version=17, dynamo=False,
    )  # fmt: skip
    model.eval()  # the export leaves it in training
    return path


def _split(folder: Path) -> None:
    """The weights beside the graph as parts of at most _PART bytes, and the manifest that lists them."""
    whole = (folder / GRAPH).with_suffix(".bin")
    content, parts = whole.read_bytes(), []
    for number, start in enumerate(range(0, len(content), _PART), 1):
        path = folder / f"weights.{number}.bin"
        path.write_bytes(content[start : start + _PART])
        parts.append({"file": path.name, "sha256": digest(path)})
    whole.unlink()
    (folder / MANIFEST).write_text(json.dumps({"parts": parts}, indent=1) + "\n", encoding="utf-8")


def kept(before: CrossEncoder, after: CrossEncoder, pairs: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """How far an exported model says what the trained one says: the share of labels kept, or of scores the mean
    distance after a sigmoid; with n."""
    one, other = before.logits(list(pairs)), after.logits(list(pairs))
    if one.shape[1] > 1:
        return {"labels_kept": round(float((one.argmax(1) == other.argmax(1)).mean()), 4), "n": len(pairs)}
    moved = np.abs(1 / (1 + np.exp(-one)) - 1 / (1 + np.exp(-other)))
    return {"mean_distance": round(float(moved.mean()), 4), "n": len(pairs)}
