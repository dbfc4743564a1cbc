"""What training starts from: a folder with the weights of all-mpnet-base-v2, the bundled MiniLM, or any other."""

import logging
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer

from core.models.weights import minilm, verified

MPNET_SHA256 = "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658"


def base_folder(base: str) -> Path:
    """The folder of a base: "minilm" is the bundled one; a folder called all-mpnet-base-v2 must hold those weights."""
    if base == "minilm":
        return minilm()
    folder = Path(base)
    return verified(folder, MPNET_SHA256) if folder.name == "all-mpnet-base-v2" else folder


def new_cross_encoder(base: str, labels: tuple[str, ...], seed: int, frozen: int = 0) -> tuple[Any, Any]:
    """(model, tokenizer) with a new head of one output a label, its numbers drawn from the seed; word vectors frozen.

    The word vectors are a fifth of the weights and the slowest to update, and they are good as they are. frozen: that
    many of the lowest layers, and all below them, learn nothing either, which takes a third of the time off. Nothing
    is dropped out, since a run sees its data once or twice and drawing the numbers takes long on a CPU; plain attention
    learns a quarter faster there in bf16 than the fused one.
    """
    folder = base_folder(base)
    torch.manual_seed(seed)
    logging.getLogger("transformers").setLevel(logging.ERROR)  # that the head is new is what we want
    model = AutoModelForSequenceClassification.from_pretrained(
        folder, num_labels=len(labels), id2label=dict(enumerate(labels)), dtype=torch.float32,
        attention_probs_dropout_prob=0.0, hidden_dropout_prob=0.0, attn_implementation="eager",
    )  # fmt: skip
    model.get_input_embeddings().weight.requires_grad_(False)
    if frozen:
        _freeze(model.base_model, frozen)
    return model, AutoTokenizer.from_pretrained(folder)


def _freeze(body: Any, layers: int) -> None:
    """What all layers share stands below the lowest, so it is frozen with it."""
    shared = getattr(body.encoder, "relative_attention_bias", None)
    for part in (body.embeddings, shared, *body.encoder.layer[:layers]):
        if part is not None:
            part.requires_grad_(False)
