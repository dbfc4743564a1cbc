"""Trains the reranker: python -m core.models.training.rerank --data DIR --out DIR."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import torch

from core.models.training.bases import cross_encoder
from core.models.training.batches import Example, encoded, fingerprint
from core.models.training.card import Outcome, ship
from core.models.training.checkpoints import Checkpoint
from core.models.training.corpora import for_fitting, rows
from core.models.training.loop import Recipe, Run
from core.models.training.options import arguments, recipe_of, tell
from core.models.training.scoring import logits, rank_figures

GROUP = 4
"""Passages of a question that are scored together: one that answers it, the others that do not."""
SIZES = {"train_fairytaleqa": 7_756, "train_squad": 8_000, "train_entbank": 1_313}
_DEV, _CHOOSING = ("dev_fairytaleqa", "dev_entbank"), 60
_ABOUT = "A reranker: a question and a passage to the logit of P(the passage answers the question)."
_WEAK = "passages that share the question's words without answering it; its probabilities are not calibrated."


def group_loss(logits: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """Right passage first and its probability near 1, the others' near 0; shapes (items * GROUP, 1) and (items,)."""
    scores = logits.view(len(targets), -1)
    truth = torch.nn.functional.one_hot(targets, scores.shape[1]).to(scores.dtype)
    ranked = torch.nn.functional.cross_entropy(scores, targets)
    return ranked + torch.nn.functional.binary_cross_entropy_with_logits(scores, truth)


def examples(asked: Sequence[Mapping[str, Any]], random: Random) -> list[Example]:
    """A group for each question that has enough other passages; the right one stands first."""
    found = []
    for row in asked:
        right, others = _texts(row["pos"]), list(row["negs"])
        if right and len(others) >= GROUP - 1:
            passages = [random.choice(right), *random.sample(others, GROUP - 1)]
            found.append(Example(pairs=tuple((row["q"], p) for p in passages), target=0))
    return found


def gathered(data: Path, sizes: Mapping[str, int], random: Random) -> list[Example]:
    """Groups from each training set, each set cut to its size at random."""
    found = []
    for name, most in sizes.items():
        asked = rows(data, f"rerank/{name}")
        found += examples(random.sample(asked, min(most, len(asked))), random)
    return found


def ranks(model: Any, tokenizer: Any, asked: Sequence[Mapping[str, Any]]) -> list[int]:
    """The rank, from 1, of the first right passage of each question among all of its passages; ties count against."""
    sizes = [(len(_texts(r["pos"])), len(_texts(r["pos"])) + len(r["negs"])) for r in asked]
    pairs = [(r["q"], text) for r in asked for text in (*_texts(r["pos"]), *r["negs"])]
    scores = logits(model, tokenizer, pairs)[:, 0]
    each = np.split(scores, np.cumsum([size for _, size in sizes])[:-1])
    return [1 + int((s[right:] >= s[:right].max()).sum()) for s, (right, _) in zip(each, sizes, strict=True)]


def dev_rows(data: Path, name: str, choosing: bool) -> list[dict[str, Any]]:
    """One half of a dev set, split by the hash of the question."""
    return [r for r in rows(data, f"rerank/{name}") if r["negs"] and for_fitting(r["q"]) == choosing]


def reported(model: Any, tokenizer: Any, data: Path) -> dict[str, Any]:
    return {n: rank_figures(ranks(model, tokenizer, dev_rows(data, n, choosing=False))) for n in _DEV}


def _texts(value: str | Sequence[str]) -> list[str]:
    return [value] if isinstance(value, str) else list(value)


def main(arguments_given: Sequence[str] | None = None) -> None:
    options = arguments(__doc__ or "").parse_args(arguments_given)
    recipe, random = recipe_of(options, Recipe(batch=8, tokens=256, rate=5e-5)), Random(options.seed)
    sizes = {name: max(1, round(n * options.share)) for name, n in SIZES.items()}
    items = gathered(options.data, sizes, random)
    halves = {name: dev_rows(options.data, name, choosing=True)[:_CHOOSING] for name in _DEV}
    model, tokenizer = cross_encoder(options.base, ("answers",), options.seed)
    tell(f"{len(items)} questions: {sizes}")
    plan = {"base": options.base, "examples": fingerprint(items), "sizes": sizes, **asdict(recipe)}
    run = Run(
        model=model, tokenizer=tokenizer, recipe=recipe, loss=group_loss,
        scores=lambda m, t: {n: rank_figures(ranks(m, t, half))["mrr_at_10"] for n, half in halves.items() if half},
        checkpoint=Checkpoint(options.work or options.out / "work", plan), tell=tell,
    )  # fmt: skip
    progress = run.train(encoded(items, tokenizer, recipe.tokens))
    outcome = Outcome(
        about=_ABOUT, base=Path(options.base).name, sizes=sizes, recipe=recipe, progress=progress,
        figures=reported(run.model, tokenizer, options.data), weaknesses=_WEAK,
    )  # fmt: skip
    ship(options.out, run.model, tokenizer, outcome)


if __name__ == "__main__":
    main()
