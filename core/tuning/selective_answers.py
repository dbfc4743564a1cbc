"""Four figures of selective answering: how well a guardrail chooses between an answer and a refusal.

The names and formulas are those of Chen, Zhang, Guo, Fan and Cheng, "Controlling Risk of Retrieval-augmented
Generation" (Findings of EMNLP 2024), which a proposal to Ragas takes up (issue 2279). Each question is one of four
cases; A is "may go out", U is "must not", K is "goes out", D is "does not":

    AK  an answer goes out that is right, or acceptable
    UK  an answer goes out that is wrong, or to a question that must not be answered
    AD  no answer goes out, though the question should be answered
    UD  no answer goes out, as it should be

The proposal counts by the label of the question alone. Here a wrong answer to a question that should be answered is UK
as well: it must not go out either. A figure whose denominator is 0 is missing, where the proposal has 0.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.banks.scored_bank import ValuedBank, state_of
from core.evaluation.outcomes import Rate
from core.evaluation.worth import UNSAID, WRONG, is_checked, is_planted
from core.thresholds import Preset

FIGURES: Mapping[str, str] = {
    "risk": "wrong answers, of the answers that go out",
    "carefulness": "rightly refused, of right refusals and wrong answers together",
    "alignment": "answered right or rightly refused, of all",
    "coverage": "answered, of all",
}
"""The figures in plain words. Of risk less is better, of the others more."""


@dataclass(frozen=True, kw_only=True)
class SelectiveAnswers:
    """The number of questions in each of the four cases, which the docstring of the module names."""

    ak: int
    uk: int
    ad: int
    ud: int

    @property
    def n(self) -> int:
        return self.ak + self.uk + self.ad + self.ud

    @property
    def risk(self) -> Rate:
        """UK / (AK + UK)."""
        return Rate(count=self.uk, n=self.ak + self.uk)

    @property
    def carefulness(self) -> Rate:
        """UD / (UK + UD)."""
        return Rate(count=self.ud, n=self.uk + self.ud)

    @property
    def alignment(self) -> Rate:
        """(AK + UD) / (AK + UK + AD + UD)."""
        return Rate(count=self.ak + self.ud, n=self.n)

    @property
    def coverage(self) -> Rate:
        """(AK + UK) / (AK + UK + AD + UD)."""
        return Rate(count=self.ak + self.uk, n=self.n)

    @property
    def rates(self) -> dict[str, Rate]:
        """The rate of each of FIGURES, by its name."""
        return {name: getattr(self, name) for name in FIGURES}

    def row(self) -> dict[str, Any]:
        """The figures as JSON with the four counts; the share of a figure is null where its denominator is 0."""
        cases = {"AK": self.ak, "UK": self.uk, "AD": self.ad, "UD": self.ud}
        return {"n": self.n, "cases": cases} | {name: rate.row() for name, rate in self.rates.items()}


def selective_answers(goes_out: np.ndarray, is_wrong: np.ndarray, is_due: np.ndarray) -> SelectiveAnswers:
    """Count the four cases. Each array is (questions,) of bool.

    goes_out: True if an answer is delivered. is_wrong: True if the delivered answer is wrong; read only where
    `goes_out` is True. is_due: True if the question should be answered.
    """
    held = ~goes_out
    masks = {"ak": goes_out & ~is_wrong, "uk": goes_out & is_wrong, "ad": held & is_due, "ud": held & ~is_due}
    return SelectiveAnswers(**{name: int(mask.sum()) for name, mask in masks.items()})


def selective_answers_of(bank: ValuedBank, preset: Preset) -> SelectiveAnswers:
    """The four cases of `bank` under `preset`.

    Cases without a known outcome, planted answers, and questions whose answer could not be checked do not count.
    """
    return bank.cached(("selective answers", state_of(preset)), lambda: _counted(bank, preset))


def _counted(bank: ValuedBank, preset: Preset) -> SelectiveAnswers:
    worths, goes_out = bank.at(preset), bank.decided_at(preset).goes_out[0]
    is_countable = bank.labels.of_each(lambda row: is_checked(row) and not is_planted(row), bool)
    counts = is_countable & (worths != UNSAID)
    return selective_answers(goes_out[counts], worths[counts] == WRONG, bank.should[counts])
