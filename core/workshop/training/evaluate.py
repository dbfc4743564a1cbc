"""Scores an NLI model: python -m core.workshop.training.evaluate --model DIR [--data DIR]."""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from core.models.cross_encoders import cross_encoder
from core.workshop.training.nli import reported
from core.workshop.training.scoring import textbook_figures


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, required=True, help="the folder of a model")
    parser.add_argument("--data", type=Path, help="the folder of the data sets: adds their reporting halves")
    parser.add_argument("--most", type=int, help="pairs of each reporting half (default: all)")
    options = parser.parse_args(arguments)
    model = cross_encoder(options.model.resolve())
    found = reported(model, options.data, options.most) if options.data else {"textbook": textbook_figures(model)}
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
