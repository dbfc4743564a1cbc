"""Trains the reranker: python -m core.models.training.rerank --data DIR --out DIR."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import torch

from core.models.cross_encoders import CrossEncoder, cross_encoder
from core.models.reranker import best_logits
from core.models.training.bases import new_cross_encoder
from core.models.training.batches import Example, encoded, fingerprint
from core.models.training.card import Outcome, write_card
from core.models.training.checkpoints import Checkpoint, plan_of
from core.models.training.corpora import for_fitting, rows
from core.models.training.export import ship
from core.models.training.groups import Group, groups_of
from core.models.training.loop import Recipe, Run
from core.models.training.options import arguments, recipe_of, tell
from core.models.training.scoring import Trained, rank_figures
from core.retrieval.lexical import Lexical

GROUP = 4
"""Passages of a question that are scored together: one that answers it, the others that do not."""
NONE = -1
"""The target of a question that none of its passages answers."""
_ALIKE = 12
"""Passages of other groups that share most words with a question: its wrong passages are drawn from them."""
SIZES = {"train_fairytaleqa": 7_756, "train_squad": 8_000, "train_entbank": 1_313}
_DEV, _CHOOSING = ("dev_fairytaleqa", "dev_entbank"), 60
_ABOUT = "A reranker: a question and a passage to the logit of P(the passage answers the question)."
_WEAK = "passages that share the question's words without answering it; its probabilities are not calibrated."


def group_loss(logits: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """Right passage first and its probability near 1, the others' near 0; shapes (items * GROUP, 1) and (items,).

    Where none is right (NONE) every probability is drawn to 0.
    """
    scores = logits.view(len(targets), -1)
    some = targets != NONE
    truth = torch.zeros_like(scores)
    truth[some, targets[some]] = 1
    told = torch.nn.functional.binary_cross_entropy_with_logits(scores, truth)
    return told + torch.nn.functional.cross_entropy(scores[some], targets[some]) if some.any() else told


def examples(asked: Sequence[Mapping[str, Any]], random: Random) -> list[Example]:
    """A group for each question that has enough other passages; the right one stands first."""
    found = []
    for row in asked:
        right, others = texts_of(row["pos"]), list(row["negs"])
        if right and len(others) >= GROUP - 1:
            passages = [random.choice(right), *random.sample(others, GROUP - 1)]
            found.append(Example(pairs=tuple((row["q"], p) for p in passages), target=0))
    return found


def grouped(groups: Sequence[Group], random: Random) -> list[Example]:
    """Two examples a group: what its passage answers, and what neither it nor a passage of like words does."""
    texts = [g.passage for g in groups]
    lexical, found = Lexical(texts), []
    for n, group in enumerate(groups):
        for question, target in ((group.answered, 0), (group.open, NONE)):
            near = [int(m) for m in np.argsort(-lexical.shares(question), kind="stable")[: _ALIKE + 1] if m != n]
            others = [texts[m] for m in random.sample(near, min(len(near), GROUP - 1))]
            if len(others) == GROUP - 1:
                found.append(Example(pairs=tuple((question, p) for p in (group.passage, *others)), target=target))
    return found


def gathered(data: Path, share: float, folder: Path | None, random: Random) -> dict[str, list[Example]]:
    """Examples of each training set, cut to `share` of its size at random, and of our own groups when given."""
    found = {}
    for name, most in SIZES.items():
        asked, most = rows(data, f"rerank/{name}"), max(1, round(most * share))
        found[name] = examples(random.sample(asked, min(most, len(asked))), random)
    if folder:
        found["groups"] = grouped([g for g in groups_of(folder) if not g.held_out], random)
    return found


def ranks(model: CrossEncoder, asked: Sequence[Mapping[str, Any]]) -> list[int]:
    """The rank, from 1, of the first right passage of each question among all of its passages; ties count against."""
    sizes = [(len(texts_of(r["pos"])), len(texts_of(r["pos"])) + len(r["negs"])) for r in asked]
    pairs = [(r["q"], text) for r in asked for text in (*texts_of(r["pos"]), *r["negs"])]
    scores = best_logits(model, pairs)
    each = np.split(scores, np.cumsum([size for _, size in sizes])[:-1])
    return [1 + int((s[right:] >= s[:right].max()).sum()) for s, (right, _) in zip(each, sizes, strict=True)]


def dev_rows(data: Path, name: str, choosing: bool) -> list[dict[str, Any]]:
    """One half of a dev set, split by the hash of the question."""
    return [r for r in rows(data, f"rerank/{name}") if r["negs"] and for_fitting(r["q"]) == choosing]


def reported(model: CrossEncoder, data: Path) -> dict[str, Any]:
    return {n: rank_figures(ranks(model, dev_rows(data, n, choosing=False))) for n in _DEV}


def texts_of(value: str | Sequence[str]) -> list[str]:
    """The passages that answer a question; a data set names one or several."""
    return [value] if isinstance(value, str) else list(value)


def main(arguments_given: Sequence[str] | None = None) -> None:
    options = arguments(__doc__ or "").parse_args(arguments_given)
    recipe, random = recipe_of(options, Recipe(batch=8, tokens=192, rate=5e-5)), Random(options.seed)
    gathers = gathered(options.data, options.share, options.groups, random)
    sizes, items = {name: len(some) for name, some in gathers.items()}, [e for some in gathers.values() for e in some]
    halves = {name: dev_rows(options.data, name, choosing=True)[:_CHOOSING] for name in _DEV}
    model, tokenizer = new_cross_encoder(options.base, ("answers",), options.seed)
    tell(f"{len(items)} questions: {sizes}")
    plan = {"base": options.base, "examples": fingerprint(items), "sizes": sizes, **asdict(recipe)}
    run = Run(
        model=model, tokenizer=tokenizer, recipe=recipe, loss=group_loss,
        scores=lambda model: {n: rank_figures(ranks(model, half))["mrr_at_10"] for n, half in halves.items() if half},
        checkpoint=Checkpoint(options.work or options.out / "work", plan), tell=tell,
    )  # fmt: skip
    progress = run.train(encoded(items, tokenizer, recipe.tokens))
    trained = Trained(run.model, tokenizer)
    ship(options.out, trained)
    figures = {
        "trained": reported(trained, options.data),
        "shipped": reported(cross_encoder(options.out), options.data),
    }
    outcome = Outcome(
        about=_ABOUT, base=Path(options.base).name, earlier=plan_of(Path(options.base)), sizes=sizes,
        recipe=recipe, progress=progress, figures=figures, weaknesses=_WEAK,
    )  # fmt: skip
    write_card(options.out, outcome)


if __name__ == "__main__":
    main()
