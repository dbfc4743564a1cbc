"""What makes a bank fit to measure with: what its rows claim stands in the chapters, and what is false does not."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from core.text.words import contains_fact

Row = Mapping[str, Any]

ALTERATIONS = ("number", "unit", "name", "negation", "quantifier", "cause", "order", "place_time")
AT_LEAST = {
    ("pair", "supported"): 250, ("pair", "altered"): 250, ("answerable", "answered"): 80, ("absent", "refused"): 80,
    ("off_topic", "refused"): 60, ("vague", "clarified"): 30, ("history", "answered"): 30, ("attack", "refused"): 30,
    ("hedged", "refused"): 20, ("filler", "refused"): 20, ("uncited", "refused"): 20, ("wrongly_cited", "refused"): 20,
    ("half_supported", "part"): 20,
}  # fmt: skip
"""How many rows of each kind the banks hold together, both halves."""
TWO_PART = 30


def too_few(rows: Sequence[Row]) -> dict[Any, int]:
    """The kinds of which there are too few, with how many there are."""
    found = Counter((row["kind"], row["expected"]) for row in rows)
    few = {kind: found[kind] for kind, n in AT_LEAST.items() if found[kind] < n}
    two = sum(row["kind"] == "two_part" for row in rows)
    return few | ({"two_part": two} if two < TWO_PART else {})


def rare_alterations(rows: Sequence[Row]) -> dict[str, float]:
    """The kinds of alteration that make less than a tenth of the altered answers, with their share."""
    kinds = [row["alteration"] for row in rows if row["expected"] == "altered"]
    shares = {kind: kinds.count(kind) / len(kinds) for kind in ALTERATIONS}
    return {kind: share for kind, share in shares.items() if share < 0.1}


def twice(values: Sequence[str]) -> list[str]:
    """What is there more than once, case and white space apart."""
    found = Counter(" ".join(value.casefold().split()) for value in values)
    return [value for value, n in found.items() if n > 1]


def fact_faults(row: Row, texts: Mapping[str, str]) -> list[str]:
    """What is wrong with the facts of one row, against the text of every chapter by its document."""
    if row["expected"] == "altered":
        held = [f for f in row["facts"] if any(contains_fact(text, f) for text in texts.values())]
        lost = [f for f in row["facts"] if not contains_fact(row["answer"], f)]
        return [f"{f!r} is said to be false and is in a chapter" for f in held] + [
            f"{f!r} is not in the answer that it makes false" for f in lost
        ]
    said = "\n".join([*_documents(row, texts), *_told(row)])
    return [f"{f!r} is in no text that the row names" for f in row["facts"] if not contains_fact(said, f)]


def pair_faults(rows: Sequence[Row]) -> list[str]:
    """Pairs that are no pairs: not two rows on one question with two different answers."""
    pairs: dict[str, list[Row]] = {}
    for row in rows:
        if row["kind"] == "pair":
            pairs.setdefault(row["pair"], []).append(row)
    return [name for name, both in pairs.items() if not _is_pair(both)]


def _is_pair(both: Sequence[Row]) -> bool:
    alike = ("query", "class_number", "subject", "document", "alteration")
    return (
        sorted(row["expected"] for row in both) == ["altered", "supported"]
        and all(both[0].get(label) == both[1].get(label) for label in alike)
        and " ".join(both[0]["answer"].split()) != " ".join(both[1]["answer"].split())
    )


def _documents(row: Row, texts: Mapping[str, str]) -> list[str]:
    """The chapters that a row names; for two questions in one, all of them."""
    if row["kind"] == "two_part":
        return list(texts.values())
    return [texts.get(name, "") for name in (row.get("document"), row.get("other_document")) if name]


def _told(row: Row) -> list[str]:
    """What the conversation of a row has said already."""
    return [turn["text"] for turn in row.get("history", ())] + list(row.get("tool_results", ()))
