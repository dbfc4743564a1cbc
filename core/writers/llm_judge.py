"""Asked of a language model: seed D's stage 1, what each sentence does against the interest of the house, and seed E's
fact check and correction, does it say yes, and can it say the answer better?"""

import json
from typing import Any, Protocol

from core.case import Case, Draft, Judgement, Opinion
from core.models import ModelError
from core.settings.domains import SEVERITIES, VIOLATIONS, Domain
from core.writers.language_model import Listen, Written, draft_of
from core.writers.prompts import Message, to_check, to_correct, to_judge

_CORRECTION_TOKENS = 160
_SENTENCES = 12
"""Most sentences of one answer that it is asked about: each takes it a second or more."""
_TOKENS_EACH = 120
_REASONING = 400
"""Longest reasoning of one sentence, in characters."""
_FIELDS = {"sentence", "violation", "severity", "reasoning"}
_TOLD = r"[A-Za-z0-9 ,.;:'()-]+"
"""What a model that keeps to a pattern may give as its reason; its tokens are counted instead of its characters, since
a grammar that counts takes many seconds to be made."""


class JudgingModel(Protocol):
    """A language model, here or on a server, that is asked what it thinks of a draft."""

    @property
    def name(self) -> str: ...

    def reply(self, messages: list[Message], most: int, pattern: str) -> str:
        """One JSON object in at most `most` tokens, by the regular expression `pattern` where it can be held to one."""

    def yes(self, messages: list[Message]) -> float:
        """P(yes) where it is asked for Yes or No."""

    def write(self, messages: list[Message], most: int, *, listen: Listen | None = None) -> Written:
        """The answer to a chat in at most `most` tokens, in free words."""


class StageOne:
    """Asks a model what it thinks of a draft; it only measures, and thresholds decide. most: characters of passages."""

    def __init__(self, model: JudgingModel, most: int) -> None:
        self.model, self.most = model, most

    def __call__(self, case: Case, house: Domain) -> Opinion:
        """What the model says of each sentence of the draft of `case`; ModelError when it says it in no such form."""
        count = len(case.sentences)
        asked = to_judge(case, house, self.most)
        text = self.model.reply(asked, 100 + _TOKENS_EACH * count, pattern_of(count))
        return read_opinion(text, count, by=self.model.name)


def pattern_of(count: int) -> str:
    """The regular expression of an opinion on `count` sentences, as tight as `read_opinion` is but for the length of
    a reason, and with no spaces that a model could go on writing."""
    fine = '"violation": "none", "severity": "none", "reasoning": ""'
    found = f'"violation": "({"|".join(VIOLATIONS)})", "severity": "({"|".join(SEVERITIES)})", "reasoning": "{_TOLD}"'
    rows = ", ".join(rf'\{{"sentence": {n}, ({fine}|{found})\}}' for n in range(1, count + 1))
    return rf'\{{"sentences": \[{rows}\], "requires_fact_check": (true|false)\}}'


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


class FactJudge:
    """Asks a model of each sentence whether the passages say it, and for an answer that does not hold another one.

    most: characters of passages that it reads.
    """

    def __init__(self, model: JudgingModel, most: int, listen: Listen | None = None) -> None:
        self.model, self.most, self.listen = model, most, listen

    def __call__(self, case: Case) -> Judgement:
        """How probably the model says yes to each sentence of the draft of `case`; ModelError when it cannot be asked.

        Where nothing was found it is not asked: then the passages say nothing.
        """
        count = len(case.sentences)
        if count > _SENTENCES:
            raise ModelError(
                f"A language model is asked about at most {_SENTENCES} sentences, this answer has {count}; shorten it."
            )
        if not any(e.kept for e in case.evidence):
            return Judgement(by=self.model.name, yes=(0.0,) * count)
        return Judgement(by=self.model.name, yes=tuple(self._asked(case, n) for n in range(count)))

    def _asked(self, case: Case, place: int) -> float:
        if self.listen:
            self.listen(f"{self.model.name} reads sentence {place + 1} of {len(case.sentences)} …")
        return self.model.yes(to_check(case, place, self.most))

    def corrected(self, case: Case, house: Domain) -> Draft:
        """The answer of `case` written again from the passages only; what comes of it is checked like any other."""
        written = self.model.write(to_correct(case, self.most, house), _CORRECTION_TOKENS, listen=self.listen)
        return draft_of(written, f"correction by {self.model.name}")
