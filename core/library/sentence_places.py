"""Where the sentences of a passage stand on the pages of its document."""

from collections.abc import Iterable, Sequence

from core.pdf.page import Place


def document_of(passage_id: str) -> str:
    """The id of the document that a passage belongs to."""
    return passage_id.partition(":")[0]


def marks_of(places: Sequence[Sequence[Place]], sentences: Iterable[int]) -> tuple[Place, ...]:
    """Where these sentences stand, of the places of all; nothing for one whose place is not known."""
    return tuple(tuple(mark) for i in sentences if i < len(places) for mark in places[i])
