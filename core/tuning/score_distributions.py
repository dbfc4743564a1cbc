"""How the scores of one check lie, for cases that should be answered and for those that should not."""

from dataclasses import dataclass

import numpy as np

from core.banks.scored_bank import ValuedBank
from core.case import Signals
from core.check import Bound, Check
from core.checks import all_checks
from core.sweep.signal_batches import stacked
from core.thresholds import Preset


@dataclass(frozen=True, kw_only=True)
class Spread:
    """The values that one check compared in the first round of each case, and the limit.

    good, bad: of the cases that should be answered and of those that should not. by: the threshold that is the limit,
    "" for a rule without one. left_out: cases to which the check does not apply, or that another limit of it decided.
    """

    check: str
    by: str
    limit: float
    unit: str
    good: np.ndarray
    bad: np.ndarray
    left_out: int


def spread(bank: ValuedBank, preset: Preset, check: Check, by: str = "") -> Spread | None:
    """The scores of `check` under `preset`; None where it decides no case.

    by: the threshold to take the limit from, where it decides any case; otherwise the one that decides most.
    """
    signals, measured = bank.remembered(("stacked", check.name), lambda: _stacked(bank, check))
    bound = check.bind(preset)
    decision = check.decide(Bound(**signals), bound)
    ran = measured & ~np.isnan(decision.margin)
    if not ran.any():
        return None
    deciding = np.broadcast_to(np.asarray(decision.by, dtype=object), ran.shape)
    names = [str(n) for n in deciding[ran]]
    chosen = by if by in names else max(set(names), key=lambda name: (names.count(name), name))
    mine = ran & (deciding == chosen)
    threshold = check.thresholds().get(chosen)
    unit = threshold.unit if threshold else next(iter(check.signals().values())).unit
    return Spread(
        check=check.name, by=chosen, limit=float(decision.limit[mine][0]), unit=unit, left_out=int((~mine).sum()),
        good=np.sort(decision.value[mine & bank.should]), bad=np.sort(decision.value[mine & ~bank.should]),
    )  # fmt: skip


def check_of(key: str) -> Check:
    """The check that a threshold belongs to."""
    return next(c for c in all_checks() if c.name == key.partition(".")[0])


def _stacked(bank: ValuedBank, check: Check) -> tuple[Signals, np.ndarray]:
    """The signals of `check` of the first rounds of all cases, and where there are any: (cases,)."""
    rounds = [case.trace.rounds[0] for case in bank.cases]
    return stacked(check, rounds), np.array([check.name in r.signals for r in rounds], dtype=bool)
