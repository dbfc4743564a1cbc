"""A training run with transformers' Trainer.

The model is scored and saved at intervals, and training stops early if scores do not improve. It ends with the best
weights, and can be resumed after a kill.
"""

import argparse
import json
import math
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from core.lab.training.cross_encoder import Row, Trained, autocast, collated, length
from core.lab.training.nli_datasets import TrainingError

if TYPE_CHECKING:
    import torch

PLAN = "plan.json"
_POOL = 64
"""Number of batches that are sorted by length together: enough to save padding, few enough to stay random."""
_LOGGED_EVERY = 20
"""Steps between two lines of progress."""
Loss = Callable[["torch.Tensor", "torch.Tensor"], "torch.Tensor"]
"""A function from the logits and targets of a batch to a mean loss."""
Scores = Callable[["Trained"], dict[str, float]]
"""A function from a model to its score on each choosing half; higher is better."""


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """The parameters of a training run.

    batch: rows per step. tokens: maximum length of a pair. rate: the highest learning rate. warm_up: share of the steps
    in which the rate rises. decay: weight decay. scored: number of evaluations during the run. patience: number of
    evaluations without improvement after which training stops.
    """

    epochs: int = 1
    steps: int = 0
    """Maximum steps, or 0 for no maximum. The learning rate falls to 0 at the last step."""
    batch: int = 32
    tokens: int = 160
    rate: float = 4e-5
    warm_up: float = 0.06
    decay: float = 0.01
    seed: int = 0
    scored: int = 10
    patience: int = 5


def in_order(rows: Sequence[Row], recipe: Recipe) -> list[Row]:
    """The rows of all epochs in training order: shuffled, and within pools of _POOL batches sorted by length, which
    saves padding. The batches of a pool are shuffled again; its incomplete batch comes last."""
    random, order = Random(recipe.seed), []
    for _ in range(recipe.epochs):
        order += random.sample(rows, len(rows))
    ordered_rows: list[Row] = []
    for start in range(0, len(order), recipe.batch * _POOL):
        pool = sorted(order[start : start + recipe.batch * _POOL], key=length)
        rest = len(pool) % recipe.batch
        full = [pool[n : n + recipe.batch] for n in range(rest, len(pool), recipe.batch)]
        ordered_rows += [row for batch in random.sample(full, len(full)) for row in batch] + pool[:rest]
    return ordered_rows


@dataclass(frozen=True, kw_only=True)
class Progress:
    """The course of a training run. step: the number of steps at its end. scores: all scores on the choosing halves as
    (step, mean score, score by set)."""

    step: int
    scores: Sequence[tuple[int, float, dict[str, float]]]


def keep_to(folder: Path, plan: dict[str, Any]) -> Path:
    """Write the plan of a run into `folder` and return `folder`. Raises TrainingError if it holds the plan of another
    run."""
    folder.mkdir(parents=True, exist_ok=True)
    text, path = json.dumps(plan, indent=1, sort_keys=True), folder / PLAN
    if path.is_file() and path.read_text(encoding="utf-8") != text:
        raise TrainingError(
            f"{folder} holds a run with another plan (see {PLAN}); give --work another folder or empty it."
        )
    path.write_text(text, encoding="utf-8")
    return folder


def plan_of(checkpoint: Path) -> dict[str, Any] | None:
    """The plan of the run that wrote this checkpoint; None for any other folder."""
    path = checkpoint.parent / PLAN
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None


def train(
    model: Any, tokenizer: Any, rows: Sequence[Row], recipe: Recipe, *, loss: Loss, scores: Scores, work: Path
) -> Progress:
    """Train from the last checkpoint in `work`, if any, to the end; the model then has its best weights."""
    from transformers import EarlyStoppingCallback, Trainer, TrainingArguments
    from transformers.trainer_utils import get_last_checkpoint

    ordered_rows = in_order(rows, recipe)
    whole = math.ceil(len(ordered_rows) / recipe.batch)
    steps = min(whole, recipe.steps or whole)

    class Scored(Trainer):
        def compute_loss_context_manager(self) -> AbstractContextManager[object]:
            """Return our own autocast: that of `bf16=True` wraps the model permanently, and an export would include
            it."""
            return autocast()

        def evaluate(self, *_: Any, **__: Any) -> dict[str, float]:
            scores_ = scores(Trained(self.model, tokenizer))
            mean = sum(scores_.values()) / len(scores_)
            tell(f"scored {mean:.4f}: " + ", ".join(f"{name} {score:.3f}" for name, score in scores_.items()))
            self.state.log_history.append({"step": self.state.global_step, "mean": mean, "scores": scores_})
            metrics = {"eval_mean": mean}
            self.control = self.callback_handler.on_evaluate(self.args, self.state, self.control, metrics)
            return metrics

    each = max(1, steps // recipe.scored)
    trainer = Scored(
        model=model, processing_class=tokenizer, train_dataset=ordered_rows, eval_dataset={},
        data_collator=lambda some: collated(some, tokenizer),
        compute_loss_func=lambda outputs, targets, **_: loss(outputs.logits.float(), targets),
        callbacks=[EarlyStoppingCallback(recipe.patience)],
        args=TrainingArguments(
            output_dir=str(work), max_steps=steps, per_device_train_batch_size=recipe.batch, seed=recipe.seed,
            learning_rate=recipe.rate, warmup_steps=round(steps * recipe.warm_up), weight_decay=recipe.decay,
            use_cpu=True, train_sampling_strategy="sequential", remove_unused_columns=False,
            dataloader_pin_memory=False, logging_steps=min(_LOGGED_EVERY, steps), report_to="none",
            eval_strategy="steps", eval_steps=each, save_strategy="steps", save_steps=each, save_total_limit=2,
            load_best_model_at_end=True, metric_for_best_model="mean", greater_is_better=True,
            restore_callback_states_from_checkpoint=True,
        ),
    )  # fmt: skip
    trainer.train(resume_from_checkpoint=get_last_checkpoint(str(work)))
    entries = [entry for entry in trainer.state.log_history if "scores" in entry]
    return Progress(step=trainer.state.global_step, scores=[(e["step"], e["mean"], e["scores"]) for e in entries])


def arguments(about: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--data", type=Path, required=True, help="the folder of the data sets")
    parser.add_argument("--out", type=Path, required=True, help="where the model and its card are written")
    parser.add_argument("--work", type=Path, help="where the run keeps its checkpoints (default: OUT/work)")
    parser.add_argument(
        "--base", required=True, help="a folder such as .../all-mpnet-base-v2, or that of a model that ships"
    )
    parser.add_argument("--share", type=float, default=1.0, help="share of the data that is used, in (0, 1]")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--epochs", type=int)
    parser.add_argument("--steps", type=int, help="most steps of a run")
    parser.add_argument("--batch", type=int)
    parser.add_argument("--rate", type=float, help="the highest learning rate")
    parser.add_argument("--scored", type=int, help="how often it is scored on the choosing halves in all")
    return parser


def recipe_of(options: argparse.Namespace, default: Recipe) -> Recipe:
    """`default` with the values from the command line."""
    options_ = {k: getattr(options, k) for k in ("epochs", "steps", "batch", "rate", "scored")}
    return replace(default, seed=options.seed, **{k: v for k, v in options_.items() if v is not None})


def tell(line: str) -> None:
    print(f"{datetime.now():%H:%M:%S} {line}", flush=True)
