"""Seed C's own calibration: its top-score limit swept over five values, the most accurate one picked."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.banks.scored_bank import Tally
from core.evaluation.cases import Labelled
from core.evaluation.outcomes import Rate
from core.presets import preset, values
from core.thresholds import Preset
from core.tuning.proposals import parted

KEY = "retrieval_score.min_retrieval_score"
VALUES = (0.2, 0.25, 0.3, 0.35, 0.4)
"""The seed's own."""
MOST_REFUSED = 0.1
"""The seed wants fewer false abstentions than this share."""


@dataclass(frozen=True, kw_only=True)
class Calibration:
    """accuracy: what is as it should be on the half that was swept, at each of VALUES; chosen: the best of them.

    held_out: the other half under the chosen value, default: under the seed's 0.3; both with only seed C blocking.
    """

    accuracy: tuple[Rate, ...]
    chosen: float
    preset: Preset
    held_out: Tally
    default: Tally

    @property
    def keeps(self) -> bool:
        """True when fewer good questions than the seed allows are refused on the half that was not swept."""
        share = self.held_out.over_refusal.share
        return share is not None and share < MOST_REFUSED


def calibration(cases: Sequence[Labelled]) -> Calibration:
    """The sweep on one half of `cases`, reported on the other. CaseError when a half is too small; no model is asked.

    Of equally accurate values the one nearest to the seed's default is taken.
    """
    swept, rest = parted(cases)
    base = preset("seed_c")
    points = [base.with_values({KEY: value}) for value in VALUES]
    accuracy = tuple(swept.tally(point).as_it_should_be for point in points)
    default = values(base)[KEY]
    place = min(range(len(VALUES)), key=lambda n: (-accuracy[n].count, abs(VALUES[n] - default)))
    return Calibration(
        accuracy=accuracy, chosen=VALUES[place], preset=points[place], held_out=rest.tally(points[place]),
        default=rest.tally(base),
    )  # fmt: skip
