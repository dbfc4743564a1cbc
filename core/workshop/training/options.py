"""What both training commands are told, and how they tell how far they are."""

import argparse
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from core.workshop.training.groups import GROUPS
from core.workshop.training.loop import Recipe


def arguments(about: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--data", type=Path, required=True, help="the folder of the data sets")
    parser.add_argument("--out", type=Path, required=True, help="where the model and its card are written")
    parser.add_argument("--work", type=Path, help="where the run keeps its checkpoints (default: OUT/work)")
    parser.add_argument("--base", default="minilm", help="minilm, or a folder such as .../all-mpnet-base-v2")
    parser.add_argument("--share", type=float, default=1.0, help="share of the data that is used, in (0, 1]")
    parser.add_argument("--groups", type=Path, nargs="?", const=GROUPS, help="a folder of our own groups")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--epochs", type=int)
    parser.add_argument("--steps", type=int, help="most steps of a run")
    parser.add_argument("--batch", type=int)
    parser.add_argument("--rate", type=float, help="the highest learning rate")
    parser.add_argument("--scored", type=int, help="how often it is scored on the choosing halves in all")
    return parser


def recipe_of(options: argparse.Namespace, default: Recipe) -> Recipe:
    """`default` with what was given on the command line."""
    given = {k: getattr(options, k) for k in ("epochs", "steps", "batch", "rate", "scored")}
    return replace(default, seed=options.seed, **{k: v for k, v in given.items() if v is not None})


def tell(line: str) -> None:
    print(f"{datetime.now():%H:%M:%S} {line}", flush=True)
