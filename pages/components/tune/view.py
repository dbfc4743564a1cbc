"""Everything that the top of the Tune page draws for one setting of the sliders."""

from dataclasses import dataclass

import numpy as np

from core.banks.scored_bank import UNSAID, Tally, ValuedBank, tally
from core.sweep.bank_sweep import REASON_NAMES
from core.thresholds import Preset
from core.tuning.curves import Curve, curve
from core.tuning.score_distributions import Spread, check_of, spread


@dataclass(frozen=True, kw_only=True)
class Change:
    """One case that ends otherwise than under the preset. case: its place in the bank; way: 1 better, -1 worse, 0."""

    case: int
    before: str
    after: str
    way: int


@dataclass(frozen=True, kw_only=True)
class View:
    """The sliders (`now`) against the preset as it was picked (`before`), and one threshold's curve and scores.

    unmeasured: cases that cannot be said, of those that should be answered and of the others. inside, outside: refusals
    by their primary reason, of the same two.
    """

    now: Tally
    before: Tally
    unmeasured: tuple[int, int]
    inside: dict[str, int]
    outside: dict[str, int]
    changes: tuple[Change, ...]
    curve: Curve
    spread: Spread | None


def view(bank: ValuedBank, preset: Preset, base: Preset, key: str) -> View:
    """What becomes of `bank` under `preset`, beside `base`; key: the threshold whose curve is drawn. No model runs."""
    now, before = bank.at(preset), bank.at(base)
    decided = bank.decided_at(preset)
    unsaid = now == UNSAID
    parts = (decided.refusals(where) for where in (bank.should, ~bank.should))
    inside, outside = ({name: int(found[name][0]) for name in REASON_NAMES if name in found} for found in parts)
    return View(
        now=tally(now, bank.should), before=tally(before, bank.should), inside=inside, outside=outside,
        unmeasured=(int((unsaid & bank.should).sum()), int((unsaid & ~bank.should).sum())),
        changes=changes(bank, preset, base), curve=curve(bank, preset, key),
        spread=spread(bank, preset, check_of(key), key.partition(".")[2]),
    )  # fmt: skip


def changes(bank: ValuedBank, preset: Preset, base: Preset) -> tuple[Change, ...]:
    """The cases with another outcome or route than under `base`: worse ones first, then better, in the bank's order."""
    found = bank.decided_at(preset).changed(bank.decided_at(base))
    ways = np.sign(bank.at(preset).astype(int) - bank.at(base).astype(int))
    told = [Change(case=c.case, before=c.before, after=c.after, way=int(ways[c.case])) for c in found]
    return tuple(sorted(told, key=lambda c: ({-1: 0, 1: 1, 0: 2}[c.way], c.case)))
