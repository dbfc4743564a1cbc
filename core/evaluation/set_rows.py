"""The rows of a question set in memory, and the labels of many rows at once."""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

_FIELDS = ("expected", "kind", "class_number", "subject", "document", "other_document")
"""The fields of a row that its labels hold."""
_FLAGS = ("answer", "pair", "facts", "false_facts", "contexts")
"""The fields of which labels hold only whether there is something in them: True or False, None without the field."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Labels:
    """The labels of many rows. distinct: every combination of labels that occurs. index: of each row, among them,
    (rows,).
    """

    distinct: tuple[Mapping[str, Any], ...]
    index: np.ndarray

    @classmethod
    def of(cls, rows: Iterable[Mapping[str, Any]]) -> "Labels":
        """Collect the labels of rows."""
        number_of: dict[str, int] = {}
        distinct, index = [], []
        for row in rows:
            flags = {name: None if row.get(name) is None else bool(row[name]) for name in _FLAGS}
            labels = {name: row.get(name) for name in _FIELDS} | flags
            number = number_of.setdefault(repr(labels), len(distinct))
            if number == len(distinct):
                distinct.append(labels)
            index.append(number)
        return cls(distinct=tuple(distinct), index=np.array(index, dtype=np.int64))

    def of_each(self, function: Callable[[Mapping[str, Any]], Any], dtype: Any) -> np.ndarray:
        """The result of `function` for the labels of each row, computed once for equal labels: (rows,)."""
        return np.array([function(labels) for labels in self.distinct], dtype=dtype)[self.index]


class SetRows(list[dict[str, Any]]):
    """The rows of a set, each with an id. questions: the digest of the question of each row."""

    def __init__(self, rows: Iterable[dict[str, Any]], questions: Sequence[str]) -> None:
        super().__init__(rows)
        self.questions = questions

    @cached_property
    def labels(self) -> Labels:
        return Labels.of(self)

    def some(self, indices: Iterable[int]) -> "SetRows":
        """The rows at these indices."""
        chosen = list(indices)
        return SetRows([self[n] for n in chosen], [self.questions[n] for n in chosen])


def label_digests(rows: Iterable[Mapping[str, Any]]) -> np.ndarray:
    """For each row a number that changes with its labels, its facts included: (rows,)."""
    texts = (
        repr((row.get("expected"), row.get("answer") is None, row.get("facts"), row.get("false_facts"))) for row in rows
    )
    digests = [hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest() for text in texts]
    return np.frombuffer(b"".join(digests), dtype="<u8")


def labels_in(rows: Sequence[Mapping[str, Any]]) -> Labels:
    """The labels of `rows`."""
    return rows.labels if isinstance(rows, SetRows) else Labels.of(rows)


def selected(rows: Sequence[Mapping[str, Any]], indices: Sequence[int]) -> Sequence[Mapping[str, Any]]:
    """The rows at these indices."""
    return rows.some(indices) if isinstance(rows, SetRows) else [rows[n] for n in indices]
