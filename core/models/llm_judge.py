"""Stage 1 asked of a language model: what each sentence does against the interest of the house, as strict JSON."""

import json
from typing import Any

from core.case import Case, Opinion
from core.domains import SEVERITIES, VIOLATIONS, Domain
from core.models.endpoint import Endpoint
from core.models.errors import ModelError
from core.models.prompts import to_judge

_MOST = 8_000
"""Characters of passages that are sent."""
_TOKENS_EACH = 120
_REASONING = 400
"""Longest reasoning of one sentence, in characters."""
_FIELDS = {"sentence", "violation", "severity", "reasoning"}


class EndpointStageOne:
    """Asks the model of `endpoint` what it thinks of a draft; it only measures, and thresholds decide."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint

    def __call__(self, case: Case, house: Domain) -> Opinion:
        """What the model says of each sentence of the draft of `case`; ModelError when it says it in no such form."""
        count = len(case.sentences)
        text = self.endpoint.reply(to_judge(case, house, _MOST), 100 + _TOKENS_EACH * count)
        return read_opinion(text, count, by=self.endpoint.model)


def read_opinion(text: str, count: int, *, by: str) -> Opinion:
    """The opinion on `count` sentences that `text` holds; ModelError with what is wrong for anything else."""
    try:
        stored = json.loads(text, object_pairs_hook=_once)
    except (ValueError, RecursionError):
        raise _wrong("it is no JSON") from None
    if not isinstance(stored, dict) or set(stored) != {"sentences", "requires_fact_check"}:
        raise _wrong("it must be one object with sentences and requires_fact_check")
    if not isinstance(stored["requires_fact_check"], bool):
        raise _wrong(f"requires_fact_check must be true or false, got {stored['requires_fact_check']!r:.40}")
    rows = stored["sentences"]
    if not isinstance(rows, list) or len(rows) != count:
        raise _wrong(f"sentences must be a list of {count}, one for each sentence")
    read = [_row(row, place) for place, row in enumerate(rows, 1)]
    violations, severities, reasoning = zip(*read, strict=True) if read else ((), (), ())
    return Opinion(
        by=by, violations=violations, severities=severities, reasoning=reasoning,
        fact_check=stored["requires_fact_check"],
    )  # fmt: skip


def _row(row: Any, place: int) -> tuple[str, str, str]:
    """(violation, severity, reasoning) of one sentence; without a violation both others may be anything."""
    if not isinstance(row, dict) or set(row) != _FIELDS:
        raise _wrong(f"sentence {place} must have the fields {', '.join(sorted(_FIELDS))}")
    if type(row["sentence"]) is not int or row["sentence"] != place:
        raise _wrong(f"sentence {place} must be numbered {place}, got {row['sentence']!r:.40}")
    violation, severity, reasoning = (_text(row[name], f"{name} of sentence {place}") for name in _ORDER)
    if violation not in ("none", *VIOLATIONS):
        raise _wrong(f"violation of sentence {place} must be none or {', '.join(VIOLATIONS)}, got {violation!r:.40}")
    if severity not in (SEVERITIES if violation != "none" else ("none", *SEVERITIES)):
        raise _wrong(f"severity of sentence {place} must be {', '.join(SEVERITIES)}, got {severity!r:.40}")
    return violation, severity, reasoning


_ORDER = ("violation", "severity", "reasoning")


def _text(value: Any, what: str) -> str:
    if not isinstance(value, str) or len(value) > _REASONING:
        raise _wrong(f"{what} must be a text of at most {_REASONING} characters, got {value!r:.40}")
    return " ".join(value.split())


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object in which no name stands twice."""
    if len({name for name, _ in pairs}) != len(pairs):
        raise ValueError("a name stands twice")
    return dict(pairs)


def _wrong(what: str) -> ModelError:
    return ModelError(
        f"The model's answer on stage 1 cannot be used: {what}; choose another model, or let the built-in rules look."
    )
