"""A measured question set in one file, from which a set of any size is decided without loading its traces.

The file holds the signals of every round, what the chain reads of a round besides, a summary of every trace, and the
outcome of every answer that can be delivered whole. It is mapped into memory.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from core.chain.routing import RoundKey
from core.check import Check
from core.checks import all_checks
from core.evaluation.cases import LabelledCase
from core.evaluation.stored_rows import label_digests
from core.platform.mapped_arrays import Arrays, map_arrays, write_arrays
from core.sweep.bank import Bank, coded
from core.sweep.outcomes import UNKNOWN, RouteOutcomes, RowOutcome
from core.sweep.signal_batches import COLUMNS, FLAGS, JoinedStack, Piece, Stack
from core.sweep.summaries import End, StoredSummary, Summary, summary_line


class SummaryLines(Sequence[Summary]):
    """Summaries as lines of JSON, each parsed when it is used.

    text: the bytes of all lines. ends: the index in `text` at which the line of each unit ends, (units,).
    """

    def __init__(self, text: np.ndarray, ends: np.ndarray) -> None:
        self.text, self.ends = text, ends

    @classmethod
    def of(cls, lines: Sequence[bytes]) -> "SummaryLines":
        return cls(np.frombuffer(b"".join(lines), dtype=np.uint8), np.cumsum([len(line) for line in lines]))

    def __len__(self) -> int:
        return len(self.ends)

    def line(self, unit: int) -> bytes:
        """The line of a unit."""
        return self.text[self.ends[unit - 1] if unit else 0 : self.ends[unit]].tobytes()

    def __getitem__(self, unit: int) -> Summary:
        return StoredSummary(self.line(unit))


@dataclass(frozen=True, kw_only=True)
class StackedSet:
    """Measured cases without their traces.

    ids: what identifies the measurement of each case, (cases,) bytes. labels: the label digest of the row of each
    case, (cases,). row_outcomes, codes: the outcome of each unit at an end, as a code.
    """

    bank: Bank
    ids: np.ndarray
    labels: np.ndarray
    row_outcomes: tuple[RowOutcome, ...]
    codes: Mapping[End, np.ndarray]

    @classmethod
    def of(cls, cases: Sequence[LabelledCase], ids: Sequence[bytes]) -> "StackedSet":
        """Stack cases in memory. ids: what identifies the measurement of each case."""
        bank, rows = Bank.of([case.trace for case in cases]), [case.row for case in cases]
        lines = SummaryLines.of([summary_line(summary.trace) for summary in bank.summaries])
        bank = replace(bank, summaries=lines)
        outcomes = RouteOutcomes(rows, bank)
        codes = {end: _codes(bank, outcomes, end) for end in _ends(bank)}
        return cls(
            bank=bank, ids=np.array(ids, dtype=bytes), labels=label_digests(rows),
            row_outcomes=tuple(outcomes.row_outcomes),
            codes=codes,
        )  # fmt: skip

    @classmethod
    def read(cls, path: Path) -> "StackedSet":
        """Map the set in the file `path`. Raises ArraysError if it is unreadable."""
        stored = map_arrays(path)
        arrays, about = stored.arrays, stored.about
        keys: list[RoundKey] = [tuple(key) for key in about["round_keys"]]
        bank = Bank(
            cases=arrays["cases"], parts=arrays["parts"], is_whole=arrays["is_whole"],
            kinds=(tuple(about["kinds"]), arrays["kinds"]),
            stacks={key: _StoredStack(stored, key) for key in keys},
            summaries=SummaryLines(arrays["summaries"], arrays["summary ends"]),
            origin=np.arange(len(arrays["cases"])),
        )  # fmt: skip
        return cls(
            bank=bank, ids=arrays["ids"], labels=arrays["labels"],
            row_outcomes=tuple(RowOutcome(**became) for became in about["became"]),
            codes={_end(*end): arrays[f"codes {n}"] for n, end in enumerate(about["ends"])},
        )  # fmt: skip

    def write(self, path: Path) -> None:
        """Write the set to a file, completely or not at all. Raises OSError."""
        ends = [[end.route, end.round_key, end.delivery_key] for end in self.codes]
        about = {
            "round_keys": list(self.bank.stacks), "kinds": self.bank.kinds[0], "ends": ends,
            "became": [asdict(became) for became in self.row_outcomes],
            "pieces": {},
        }  # fmt: skip
        write_arrays(path, self._arrays(about["pieces"]), about)

    def some(self, cases: np.ndarray) -> "StackedSet":
        """A selection of the cases, in any order and repeated at will."""
        bank = self.bank.some(cases)
        units, lines = bank.origin, self.bank.summaries
        bank = replace(bank, summaries=SummaryLines.of([lines.line(n) for n in units]), origin=np.arange(len(units)))
        return replace(
            self, bank=bank, ids=self.ids[cases], labels=self.labels[cases],
            codes={end: codes[units] for end, codes in self.codes.items()},
        )  # fmt: skip

    def outcomes(self, rows: Sequence[Mapping[str, Any]]) -> RouteOutcomes:
        """The outcomes of the cases under the labels of `rows`; stored ones are used where the labels are the same."""
        is_new = (label_digests(rows) != self.labels)[self.bank.cases]
        codes = {end: np.where(is_new, UNKNOWN, stored).astype(np.uint8) for end, stored in self.codes.items()}
        return RouteOutcomes(rows, self.bank, self.row_outcomes, codes)

    def _arrays(self, piece_counts: dict[str, int]) -> Iterator[tuple[str, np.ndarray]]:
        """Yield every array with its name; only the signals of one check are in memory at a time.

        piece_counts: filled on the way, with the number of pieces of each stack and check.
        """
        bank = self.bank
        yield from (("cases", bank.cases), ("parts", bank.parts), ("is_whole", bank.is_whole), ("kinds", bank.kinds[1]))
        yield from (("ids", self.ids), ("labels", self.labels))
        yield from (("summaries", bank.summaries.text), ("summary ends", bank.summaries.ends))
        yield from ((f"codes {n}", codes) for n, codes in enumerate(self.codes.values()))
        for key, stack in bank.stacks.items():
            name = _name(key)
            yield f"{name}/units", stack.units
            yield from ((f"{name}/{column}", stack.column(column)) for column in (*COLUMNS, *FLAGS))
            for check in _checks_of(key):
                piece_counts[f"{name}/{check.name}"] = len(stack.pieces(check))
                yield from _check_arrays(f"{name}/{check.name}", stack, check)
                stack.forget(check)


def concatenate(sets: Sequence[StackedSet]) -> StackedSet:
    """The cases of several sets, one after the other."""
    banks = [s.bank for s in sets]
    unit_offsets = np.cumsum([0, *map(len, banks)])
    case_offsets = np.cumsum([0, *(len(s.ids) for s in sets)])
    keys = dict.fromkeys(key for bank in banks for key in bank.stacks)
    row_outcomes = tuple(dict.fromkeys(b for s in sets for b in s.row_outcomes))
    bank = Bank(
        cases=np.concatenate([b.cases + n for b, n in zip(banks, case_offsets, strict=False)]),
        parts=np.concatenate([b.parts for b in banks]), is_whole=np.concatenate([b.is_whole for b in banks]),
        kinds=coded([b.kinds[0][kind] for b in banks for kind in b.kinds[1]]),
        stacks={key: _joined_stack(banks, unit_offsets, key) for key in keys},
        summaries=SummaryLines(
            np.concatenate([b.summaries.text for b in banks]),
            np.cumsum(np.concatenate([np.diff(b.summaries.ends, prepend=0) for b in banks])),
        ),
        origin=np.arange(unit_offsets[-1]),
    )  # fmt: skip
    return StackedSet(
        bank=bank, ids=np.concatenate([s.ids for s in sets]), labels=np.concatenate([s.labels for s in sets]),
        row_outcomes=row_outcomes,
        codes={end: np.concatenate([_recoded(s, end, row_outcomes) for s in sets])
               for end in dict.fromkeys(end for s in sets for end in s.codes)},
    )  # fmt: skip


class _StoredStack(Stack):
    """A stack in a file."""

    def __init__(self, stored: Arrays, key: RoundKey) -> None:
        self._file, self._name = stored, _name(key)
        super().__init__(self._array("units"))

    def _array(self, name: str) -> np.ndarray:
        return self._file.arrays[f"{self._name}/{name}"]

    def _column(self, name: str) -> np.ndarray:
        return self._array(name)

    def _pieces(self, check: Check) -> list[Piece]:
        count = self._file.about["pieces"][f"{self._name}/{check.name}"]
        return [
            (
                self._array(f"{check.name}/{n}/rows"),
                {signal: self._array(f"{check.name}/{n}/{signal}") for signal in check.signals()},
            )
            for n in range(count)
        ]

    def _states(self, check: Check) -> np.ndarray:
        return self._array(f"{check.name}/gone")

    def _reasons(self, check: Check) -> np.ndarray:
        return self._array(f"{check.name}/reasons")


def _check_arrays(name: str, stack: Stack, check: Check) -> Iterator[tuple[str, np.ndarray]]:
    yield f"{name}/gone", stack.states(check)
    yield f"{name}/reasons", stack.reasons(check)
    for n, (rows, signals) in enumerate(stack.pieces(check)):
        yield f"{name}/{n}/rows", rows
        yield from ((f"{name}/{n}/{signal}", _narrowed(array)) for signal, array in signals.items())


def _narrowed(array: np.ndarray) -> np.ndarray:
    """The same numbers in the smallest float type that represents each of them exactly."""
    for dtype in (np.float16, np.float32):
        with np.errstate(over="ignore"):
            narrow = array.astype(dtype)
        if np.array_equal(narrow.astype(float), array, equal_nan=True):
            return narrow
    return array


def _checks_of(key: RoundKey) -> list[Check]:
    """The checks that the chain may read in rounds with this key; query checks only in rounds that are searches."""
    return [check for check in all_checks() if check.stage == "answer" or not key[1]]


def _ends(bank: Bank) -> list[End]:
    """Every end at which an answer is delivered whole."""
    corrections = [End("deliver_corrected", (of, ""), (name, of)) for name, of in bank.stacks if name == "corrected"]
    return [*(End("deliver", key, key) for key in bank.stacks if key[0] != "corrected"), *corrections]


def _codes(bank: Bank, outcomes: RouteOutcomes, end: End) -> np.ndarray:
    """The code of each whole question whose rounds hold an answer to deliver at `end`, UNKNOWN for others: (units,)."""
    can_end = bank.is_whole.copy()
    for key in (end.round_key, end.delivery_key):
        rows = bank.at(key)
        can_end &= rows >= 0
        can_end[can_end] = bank.stacks[key].column("sentences")[rows[can_end]] > 0 if key in bank.stacks else False
    codes = np.full(len(bank), UNKNOWN, dtype=np.uint8)
    units = np.flatnonzero(can_end)
    codes[units] = [outcomes.of_one(int(unit), end) for unit in units]
    return codes


def _joined_stack(banks: Sequence[Bank], offsets: np.ndarray, key: RoundKey) -> JoinedStack:
    present = [(bank.stacks[key], n) for bank, n in zip(banks, offsets, strict=False) if key in bank.stacks]
    return JoinedStack([s for s, _ in present], np.concatenate([s.units + n for s, n in present]))


def _recoded(stacked_set: StackedSet, end: End, row_outcomes: Sequence[RowOutcome]) -> np.ndarray:
    """The codes of a set at `end` as indices into `row_outcomes`."""
    code_of = np.array([*(row_outcomes.index(b) for b in stacked_set.row_outcomes), UNKNOWN], dtype=np.uint8)
    unknown = np.full(len(stacked_set.bank), UNKNOWN, dtype=np.uint8)
    return code_of[np.minimum(stacked_set.codes.get(end, unknown), len(stacked_set.row_outcomes))]


def _end(route: str, round_key: list[str], delivery_key: list[str]) -> End:
    return End(route, tuple(round_key), tuple(delivery_key))


def _name(key: RoundKey) -> str:
    return " of ".join(filter(None, key))
