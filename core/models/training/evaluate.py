"""Scores an NLI model: python -m core.models.training.evaluate --model DIR [--data DIR]."""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer

from core.models.training.nli import reported
from core.models.training.scoring import textbook_figures


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, required=True, help="the folder of a model")
    parser.add_argument("--data", type=Path, help="the folder of the data sets: adds their reporting halves")
    parser.add_argument("--most", type=int, help="pairs of each reporting half (default: all)")
    options = parser.parse_args(arguments)
    model = AutoModelForSequenceClassification.from_pretrained(options.model, dtype=torch.float32)
    tokenizer = AutoTokenizer.from_pretrained(options.model)
    if options.data:
        found = reported(model, tokenizer, options.data, options.most)
    else:
        found = {"textbook": textbook_figures(model, tokenizer)}
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
