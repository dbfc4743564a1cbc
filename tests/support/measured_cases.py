"""The measured rows of a bank, read from where their traces are stored."""

from collections.abc import Iterator

from core.banks.measured_bank import MeasuredBank
from core.evaluation.cases import LabelledCase


def cases_of(bank: MeasuredBank) -> Iterator[LabelledCase]:
    """Each measured row with its trace, in order."""
    for row, trace in zip(bank.rows, bank.traces(range(len(bank.rows))), strict=True):
        if trace:
            yield LabelledCase(row=row, trace=trace)
