"""Rows of a bank that are parsed when they are used, and the labels of many rows without parsing them."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

_FIELDS = ("expected", "kind", "class_number", "subject", "document", "other_document")
"""The fields of a row that its labels hold."""
_FLAGS = ("answer", "pair", "facts", "false_facts", "contexts")
"""The fields of which labels hold only whether there is something in them: True or False, None without the field."""


class LabelRow(dict[str, Any]):
    """The labels of a row. A field that is no label raises KeyError: it must be read from the row itself."""

    def get(self, field: str, default: Any = None) -> Any:
        return default if self[field] is None else self[field]

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> "LabelRow":
        """The labels of `row`."""
        flags = {name: None if row.get(name) is None else bool(row[name]) for name in _FLAGS}
        return cls({name: row.get(name) for name in _FIELDS} | flags)


@dataclass(frozen=True, kw_only=True, eq=False)
class Labels:
    """The labels of many rows. distinct: every LabelRow that occurs. index: of each row, among them, (rows,)."""

    distinct: tuple[LabelRow, ...]
    index: np.ndarray

    @classmethod
    def of(cls, label_rows: Sequence[LabelRow]) -> "Labels":
        """Collect the labels of rows."""
        number_of: dict[str, int] = {}
        index = [number_of.setdefault(repr(labels), len(number_of)) for labels in label_rows]
        first = {number: n for n, number in reversed([*enumerate(index)])}
        return cls(
            distinct=tuple(label_rows[first[number]] for number in range(len(number_of))),
            index=np.array(index, dtype=np.int64),
        )

    def of_each(self, function: Callable[[LabelRow], Any], dtype: Any) -> np.ndarray:
        """The result of `function` for the labels of each row, computed once for equal labels: (rows,)."""
        return np.array([function(labels) for labels in self.distinct], dtype=dtype)[self.index]


class StoredRows(Sequence[dict[str, Any]]):
    """Rows of which each is parsed when it is used.

    ids: of each row. questions: the digest of the question of each row. digests: the label digest of each row, (rows,).
    """

    def __init__(
        self, read: Callable[[int], dict[str, Any]], ids: Sequence[str], questions: Sequence[str], labels: Labels,
        digests: np.ndarray,
    ) -> None:  # fmt: skip
        """read: parses the row with this index."""
        self._read, self.ids, self.questions = read, ids, questions
        self.labels, self.digests = labels, digests

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, which: Any) -> Any:
        if isinstance(which, slice):
            return [self._read(n) for n in range(len(self))[which]]
        return self._read(range(len(self))[which])

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return map(self._read, range(len(self)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None

    def some(self, indices: Sequence[int]) -> "StoredRows":
        """The rows at these indices, still not parsed."""
        labels = Labels(distinct=self.labels.distinct, index=self.labels.index[indices])
        return StoredRows(
            lambda n: self._read(indices[n]), [self.ids[n] for n in indices], [self.questions[n] for n in indices],
            labels, self.digests[indices],
        )  # fmt: skip


def label_digest(row: Mapping[str, Any]) -> int:
    """A number that changes with the labels of `row`, its facts included."""
    text = repr((row.get("expected"), row.get("answer") is None, row.get("facts"), row.get("false_facts")))
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def label_digests(rows: Sequence[Mapping[str, Any]]) -> np.ndarray:
    """The label digest of each row: (rows,)."""
    return rows.digests if isinstance(rows, StoredRows) else np.array([label_digest(r) for r in rows], dtype=np.uint64)


def ids_in(rows: Sequence[Mapping[str, Any]]) -> Sequence[str]:
    """The id of each row; every row has one."""
    return rows.ids if isinstance(rows, StoredRows) else [row["id"] for row in rows]


def labels_in(rows: Sequence[Mapping[str, Any]]) -> Labels:
    """The labels of `rows`."""
    return rows.labels if isinstance(rows, StoredRows) else Labels.of([LabelRow.of(row) for row in rows])


def selected(rows: Sequence[Mapping[str, Any]], indices: Sequence[int]) -> Sequence[Mapping[str, Any]]:
    """The rows at these indices."""
    return rows.some(indices) if isinstance(rows, StoredRows) else [rows[n] for n in indices]
