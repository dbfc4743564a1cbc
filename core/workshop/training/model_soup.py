"""Two runs made one: python -m core.workshop.training.model_soup --first DIR --second DIR --data DIR --out DIR.

The mean of two models' weights, one of which went on from the other, often keeps what each of them learned (Wortsman et
al., 2022). Of several shares of the second the best one is taken, judged on the choosing halves.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer

from core.workshop.training.contrast import denied
from core.workshop.training.cross_encoder import Trained
from core.workshop.training.datasets import GROUPS, Pair
from core.workshop.training.evaluate import CHOOSING, accuracy, grouped, halves
from core.workshop.training.export import ship
from core.workshop.training.trainer import tell

SHARES = (0.0, 0.3, 0.5, 0.7, 1.0)
"""Of the second model's weights; 0 and 1 are the two as they are."""


def mean_of(first: Any, second: Any, share: float) -> dict[str, torch.Tensor]:
    """The weights of two models of one shape, `share` of the second's and the rest of the first's."""
    one, other = first.state_dict(), second.state_dict()
    return {
        name: torch.lerp(one[name].float(), other[name].float(), share) if one[name].is_floating_point() else one[name]
        for name in one
    }


def chosen_on(data: Path, groups: Path, seed: int) -> dict[str, list[Pair]]:
    """What the share is judged on: the choosing halves, the groups that are kept for that, and denials of those."""
    kept, random = grouped(groups, held_out=True), Random(seed)
    return halves(data, choosing=True, most=CHOOSING) | {
        "groups": random.sample(kept, min(len(kept), 2 * CHOOSING)),
        "contradicting": [p for p in kept if p.label == "contradiction"][: 2 * CHOOSING],
        "denied": denied(kept, min(1.0, CHOOSING / len(kept)), random),
    }


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name, about in (("first", "the earlier one"), ("second", "the later one"), ("data", "of the data sets")):
        parser.add_argument(f"--{name}", type=Path, required=True, help=f"the folder {about}")
    parser.add_argument("--out", type=Path, required=True, help="where the mean is written")
    parser.add_argument("--groups", type=Path, default=GROUPS, help="the folder of our own groups")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    first, second, mean = (_model(folder) for folder in (options.first, options.second, options.first))
    trained, scored = Trained(mean, AutoTokenizer.from_pretrained(options.first)), {}
    judged = chosen_on(options.data, options.groups, options.seed)
    for share in SHARES:
        mean.load_state_dict(mean_of(first, second, share))
        found = {name: accuracy(trained, pairs) for name, pairs in judged.items()}
        scored[share] = sum(found.values()) / len(found)
        tell(f"{share}: {scored[share]:.4f}, " + ", ".join(f"{name} {score:.3f}" for name, score in found.items()))
    best = max(scored, key=scored.get)
    mean.load_state_dict(mean_of(first, second, best))
    ship(options.out, trained)
    tell(f"the mean with {best} of the second is written")


def _model(folder: Path) -> Any:
    return AutoModelForSequenceClassification.from_pretrained(folder, dtype=torch.float32).eval()


if __name__ == "__main__":
    main()
