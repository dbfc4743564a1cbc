"""The training loop of both cross-encoders: resumable, and stopped early when it no longer helps."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from core.models.cross_encoders import CrossEncoder
from core.workshop.training.batches import Encoded, batches, collated
from core.workshop.training.checkpoints import Checkpoint, Progress
from core.workshop.training.precision import autocast
from core.workshop.training.scoring import Trained

Loss = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
"""(logits of all pairs of a batch, targets of its items) to a mean loss."""
Scores = Callable[[CrossEncoder], dict[str, float]]
"""A model to its score on each choosing half; higher is better."""

_TOLD_EVERY = 20
"""Steps between two lines of progress."""


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

    def _loss(self, items: Sequence[Encoded]) -> torch.Tensor:
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
