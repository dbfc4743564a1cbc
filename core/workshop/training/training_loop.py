"""The training loop of the cross-encoders: stopped early when it no longer helps, and resumed after a kill."""

import argparse
import json
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.models.cross_encoders import CrossEncoder
from core.workshop.training.cross_encoder import Encoded, Trained, autocast, batches, collated
from core.workshop.training.nli_datasets import GROUPS, TrainingError

if TYPE_CHECKING:
    import torch

STATE, PLAN, BEST = "state.pt", "plan.json", "best"
Loss = Callable[["torch.Tensor", "torch.Tensor"], "torch.Tensor"]
"""(logits of all pairs of a batch, targets of its items) to a mean loss."""
Scores = Callable[[CrossEncoder], dict[str, float]]
"""A model to its score on each choosing half; higher is better."""
_TOLD_EVERY = 20
"""Steps between two lines of progress."""


@dataclass(kw_only=True)
class Progress:
    """Steps done, seconds spent on them, and every score on the choosing halves: (step, mean, by set)."""

    step: int = 0
    seconds: float = 0.0
    scores: list[tuple[int, float, dict[str, float]]] = field(default_factory=list)

    @property
    def best(self) -> float:
        return max((score for _, score, _ in self.scores), default=float("-inf"))

    def fruitless(self) -> int:
        """Scores since the best one."""
        means = [score for _, score, _ in self.scores]
        return len(means) - 1 - means.index(max(means)) if means else 0


class Checkpoint:
    """The folder of one run. `plan` says what is trained on what and how; a folder with another plan is not used."""

    def __init__(self, folder: Path, plan: dict[str, Any]) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        text, path = json.dumps(plan, indent=1, sort_keys=True), folder / PLAN
        if path.is_file() and path.read_text(encoding="utf-8") != text:
            raise TrainingError(
                f"{folder} holds a run with another plan (see {PLAN}); give --work another folder or empty it."
            )
        path.write_text(text, encoding="utf-8")

    def save(self, model: Any, optimizer: Any, progress: Progress) -> None:
        """All at once or not at all: a kill while writing leaves the state before."""
        state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "progress": asdict(progress)}
        _write(state, self.folder / STATE)

    def restore(self, model: Any, optimizer: Any) -> Progress:
        """The progress that was saved, model and optimizer set to it; a new one when nothing was."""
        import torch

        path = self.folder / STATE
        if not path.is_file():
            return Progress()
        state = torch.load(path, map_location="cpu", weights_only=True)
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        return Progress(**state["progress"])

    def keep_best(self, model: Any, tokenizer: Any) -> None:
        """The best weights so far, as a folder that loads like any model."""
        partial = self.folder / "best.partial"
        model.save_pretrained(partial)
        tokenizer.save_pretrained(partial)
        shutil.rmtree(self.folder / BEST, ignore_errors=True)
        partial.rename(self.folder / BEST)

    def best(self, model: Any) -> Any:
        """The best weights so far, in a model of the kind of `model`."""
        return type(model).from_pretrained(self.folder / BEST, dtype="float32")


def _write(state: Any, path: Path) -> None:
    import torch

    partial = path.with_suffix(".partial")
    torch.save(state, partial)
    partial.replace(path)


def plan_of(best: Path) -> dict[str, Any] | None:
    """The plan of the run that left its best weights in `best`; None for a folder that no run left."""
    path = best.parent / PLAN
    return json.loads(path.read_text(encoding="utf-8")) if best.name == BEST and path.is_file() else None


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """How a run learns. tokens: most of a pair; scored: how often it is scored in all; patience: scores in a row
    that may bring nothing before it stops."""

    epochs: int = 1
    steps: int = 0
    """Most steps, if not 0: the rate falls to nothing there."""
    batch: int = 32
    tokens: int = 160
    rate: float = 4e-5
    warm_up: float = 0.06
    decay: float = 0.01
    seed: int = 0
    scored: int = 10
    patience: int = 5
    saved_every: float = 600.0
    """Seconds between two checkpoints."""


@dataclass(kw_only=True)
class Run:
    """One model on its way from a base to its best."""

    model: Any
    tokenizer: Any
    recipe: Recipe
    loss: Loss
    scores: Scores
    checkpoint: Checkpoint
    tell: Callable[[str], None] = print

    def train(self, items: Sequence[Encoded]) -> Progress:
        """Steps from where the checkpoint stands to the end; the model is left with its best weights."""
        import torch

        recipe = self.recipe
        per_epoch = len(batches(items, recipe.batch, recipe.seed, 0))
        whole = per_epoch * recipe.epochs
        self.steps = min(whole, recipe.steps or whole)
        self.optimizer = torch.optim.AdamW(
            [p for p in self.model.parameters() if p.requires_grad],
            lr=recipe.rate,
            weight_decay=recipe.decay,
            fused=True,
        )
        self._saved = time.monotonic()
        self.progress = self.checkpoint.restore(self.model, self.optimizer)
        for epoch in range(self.progress.step // per_epoch, recipe.epochs):
            order = batches(items, recipe.batch, recipe.seed, epoch)
            for places in order[self.progress.step - epoch * per_epoch :]:
                if self._stopped():
                    break
                self._step([items[n] for n in places])
        self.model = self.checkpoint.best(self.model)
        return self.progress

    def _stopped(self) -> bool:
        return self.progress.step >= self.steps or self.progress.fruitless() >= self.recipe.patience

    def _step(self, items: Sequence[Encoded]) -> None:
        import torch

        started, progress = time.perf_counter(), self.progress
        torch.manual_seed(self.recipe.seed * 1_000_003 + progress.step)  # dropout is the same after a kill
        self.model.train()
        for group in self.optimizer.param_groups:
            group["lr"] = self.recipe.rate * self._share_of_rate(progress.step)
        loss = self._loss(items)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        progress.step += 1
        progress.seconds += time.perf_counter() - started
        self._after(float(loss.detach()))

    def _loss(self, items: Sequence[Encoded]) -> "torch.Tensor":
        inputs, targets = collated(items, self.tokenizer)
        with autocast():
            logits = self.model(**inputs).logits
        return self.loss(logits.float(), targets)

    def _share_of_rate(self, step: int) -> float:
        """A linear rise over the warm-up, then a linear fall to nothing."""
        warm = max(1, round(self.steps * self.recipe.warm_up))
        return min((step + 1) / warm, max(0.0, (self.steps - step) / max(1, self.steps - warm)))

    def _after(self, loss: float) -> None:
        """What is due after a step: a line of progress, scores, a checkpoint."""
        progress, last = self.progress, self.progress.step == self.steps
        if progress.step % _TOLD_EVERY == 0 or last:
            left = (self.steps - progress.step) * progress.seconds / progress.step / 60
            self.tell(f"step {progress.step}/{self.steps} loss {loss:.3f}, {left:.0f} min left")
        if scored := progress.step % max(1, self.steps // self.recipe.scored) == 0 or last:
            self._score()
        if scored or time.monotonic() - self._saved >= self.recipe.saved_every:
            self.checkpoint.save(self.model, self.optimizer, progress)
            self._saved = time.monotonic()

    def _score(self) -> None:
        found = self.scores(Trained(self.model, self.tokenizer))
        mean = sum(found.values()) / len(found)
        if mean > self.progress.best:
            self.checkpoint.keep_best(self.model, self.tokenizer)
        self.progress.scores.append((self.progress.step, mean, found))
        self.tell(f"scored {mean:.4f}: " + ", ".join(f"{name} {score:.3f}" for name, score in found.items()))


def arguments(about: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--data", type=Path, required=True, help="the folder of the data sets")
    parser.add_argument("--out", type=Path, required=True, help="where the model and its card are written")
    parser.add_argument("--work", type=Path, help="where the run keeps its checkpoints (default: OUT/work)")
    parser.add_argument(
        "--base", default="minilm", help="minilm, a folder such as .../all-mpnet-base-v2, or that of a model that ships"
    )
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
