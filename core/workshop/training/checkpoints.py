"""A training run on disk: where it stands, so that it goes on after a kill as if there had been none."""

import json
import shutil
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch

from core.workshop.training.datasets import TrainingError

STATE, PLAN, BEST = "state.pt", "plan.json", "best"


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
        return type(model).from_pretrained(self.folder / BEST, dtype=torch.float32)


def _write(state: Any, path: Path) -> None:
    partial = path.with_suffix(".partial")
    torch.save(state, partial)
    partial.replace(path)


def plan_of(best: Path) -> dict[str, Any] | None:
    """The plan of the run that left its best weights in `best`; None for a folder that no run left."""
    path = best.parent / PLAN
    return json.loads(path.read_text(encoding="utf-8")) if best.name == BEST and path.is_file() else None
