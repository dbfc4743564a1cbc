"""Two settings compared case by case, against cases counted by hand."""

import pytest

from core.banks.bank_counts import Comparison, compare
from core.banks.open_bank import OpenBank
from core.presets import preset
from core.thresholds import Preset
from tests.support.planted_banks import HYBRID, RELATED, two_limits

PRINTED = preset("as_printed")


def test_two_presets_differ_where_only_one_is_right():
    bank = OpenBank.of(two_limits(40, related=0.5, hybrid=0.35))
    better = PRINTED.with_values({RELATED: 0.5, HYBRID: 0.35})
    found = compare(bank, PRINTED, better)
    right = [bank.at(p) >= 1 for p in (PRINTED, better)]
    assert found.only_after == (right[1] & ~right[0]).sum() and found.only_before == (right[0] & ~right[1]).sum()
    assert found.only_after > found.only_before and found.p < 1
    same = compare(bank, PRINTED, Preset())
    assert (same.only_before, same.only_after, same.p) == (0, 0, 1.0)


@pytest.mark.parametrize(("one", "other", "p"), [(0, 0, 1.0), (5, 5, 1.0), (0, 5, 0.0625), (10, 0, 2 / 1024)])
def test_the_exact_mcnemar_test(one, other, p):
    some = OpenBank.of([]).counts(PRINTED)
    found = Comparison(before=some, after=some, changes=(), only_before=one, only_after=other)
    assert found.p == pytest.approx(p)
