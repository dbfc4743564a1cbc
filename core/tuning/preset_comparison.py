"""Two presets on one bank: where they differ, and whether that is more than chance."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.banks.scored_bank import FAIR, UNSAID, Tally, ValuedBank, tally
from core.sweep.bank_sweep import Changed
from core.thresholds import Preset


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """What two presets make of the same cases.

    only_first, only_second: how many cases only that one deals with as it should; cases that one of them cannot decide
    without a new measurement count for neither. p: exact McNemar test, the chance of so uneven a split or a more uneven
    one if both were equally good. differing: the cases with another outcome or route, as seen from the first.
    """

    first: Tally
    second: Tally
    only_first: int
    only_second: int
    p: float
    differing: Sequence[Changed]


def compare(bank: ValuedBank, first: Preset, second: Preset) -> Comparison:
    """Both presets on every case of `bank`; no model is asked."""
    before, after = bank.decided_at(first), bank.decided_at(second)
    one, other = bank.worths(before)[0], bank.worths(after)[0]
    said = (one != UNSAID) & (other != UNSAID)
    only_first = int((said & (one >= FAIR) & (other < FAIR)).sum())
    only_second = int((said & (other >= FAIR) & (one < FAIR)).sum())
    return Comparison(
        first=tally(one, bank.should), second=tally(other, bank.should), only_first=only_first, only_second=only_second,
        p=mcnemar(only_first, only_second), differing=after.changed(before),
    )  # fmt: skip


def mcnemar(only_first: int, only_second: int) -> float:
    """The exact two-sided p of a split of the cases on which only one of two is right; 1 without any."""
    from scipy.stats import binomtest  # it takes a while to import, and few pages compare

    uneven = only_first + only_second
    return float(binomtest(only_first, uneven).pvalue) if uneven else 1.0
