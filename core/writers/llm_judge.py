"""Language models as judges: stage 1 of source document D (violations of each sentence), and the fact check and the
correction of source document E."""

import json
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from core.case import Case, Draft, Judgement, Opinion
from core.models import ModelError
from core.settings.domains import SEVERITIES, VIOLATIONS, Domain
from core.writers.endpoint import Endpoint
from core.writers.language_model import Listen, draft_of
from core.writers.prompts import to_check, to_correct, to_judge
from core.writers.qwen import Qwen

_CORRECTION_TOKENS = 160
_SENTENCES = 12
"""Maximum sentences per answer that are fact-checked; each takes a second or more."""
UNREADABLE = 0.5
"""P(yes) of a sentence if the reply is neither yes nor no, as source document E has it."""
_TOKENS_PER_SENTENCE = 120
_REASONING = 400
"""Maximum characters of the reasoning for one sentence."""
_REASON = r"[A-Za-z0-9 ,.;:'()-]+"
"""The pattern of a reasoning. Its length is limited in tokens only, since a grammar that counts characters takes many
seconds to build."""


LanguageModel = Qwen | Endpoint
"""A language model, on this computer or on a server, that writes and judges drafts."""


class StageOne:
    """Asks a model for the violations in a draft. It only measures; thresholds decide."""

    def __init__(self, model: LanguageModel) -> None:
        self.model = model

    def __call__(self, case: Case, domain: Domain) -> Opinion:
        """The model's opinion on each sentence of the draft. Raises ModelError if its reply has another form."""
        count = len(case.sentences)
        messages = to_judge(case, domain, self.model.judged_characters)
        text = self.model.reply(messages, 100 + _TOKENS_PER_SENTENCE * count, pattern_of(count))
        return read_opinion(text, count, by=self.model.name)


def pattern_of(count: int) -> str:
    """The regular expression of a reply with an opinion on each of `count` sentences.

    It is as strict as `read_opinion`, except for the length of a reasoning, and allows no optional spaces, which a
    model could repeat without end.
    """
    none = '"violation": "none", "severity": "none", "reasoning": ""'
    one = f'"violation": "({"|".join(VIOLATIONS)})", "severity": "({"|".join(SEVERITIES)})", "reasoning": "{_REASON}"'
    rows = ", ".join(rf'\{{"sentence": {n}, ({none}|{one})\}}' for n in range(1, count + 1))
    return rf'\{{"sentences": \[{rows}\], "requires_fact_check": (true|false)\}}'


class _Row(BaseModel):
    """The opinion on one sentence, as a model replies it."""

    model_config = ConfigDict(extra="forbid", strict=True)
    sentence: int
    violation: Literal[("none", *VIOLATIONS)]
    severity: Literal[("none", *SEVERITIES)]
    reasoning: str = Field(max_length=_REASONING)


class _Reply(BaseModel):
    """The reply to a prompt of stage 1."""

    model_config = ConfigDict(extra="forbid", strict=True)
    sentences: list[_Row]
    requires_fact_check: bool


def read_opinion(text: str, count: int, *, by: str) -> Opinion:
    """The opinion on `count` sentences in `text`. Raises ModelError if the form is wrong; `by` is the model's name."""
    try:
        reply = _Reply.model_validate(json.loads(text, object_pairs_hook=_unique_pairs))
    except ValidationError as error:
        problem = error.errors()[0]
        raise _wrong(f"{'.'.join(map(str, problem['loc'])) or 'the whole'}: {problem['msg']:.200}") from None
    except (ValueError, RecursionError):
        raise _wrong("it is no JSON") from None
    rows = reply.sentences
    if [row.sentence for row in rows] != list(range(1, count + 1)):
        raise _wrong(f"sentences must be a list of {count}, one for each sentence, numbered from 1")
    for row in rows:
        if row.violation != "none" and row.severity == "none":
            raise _wrong(f"severity of sentence {row.sentence} must be {', '.join(SEVERITIES)}, got 'none'")
    return Opinion(
        by=by, violations=tuple(row.violation for row in rows), severities=tuple(row.severity for row in rows),
        reasoning=tuple(" ".join(row.reasoning.split()) for row in rows), fact_check=reply.requires_fact_check,
    )  # fmt: skip


def _unique_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object. Raises ValueError if a name occurs twice."""
    if len({name for name, _ in pairs}) != len(pairs):
        raise ValueError("a name stands twice")
    return dict(pairs)


def _wrong(problem: str) -> ModelError:
    return ModelError(
        f"The model's answer on stage 1 cannot be used: {problem}; choose another model, "
        "or let the built-in rules look."
    )


class FactJudge:
    """Asks a model whether the passages support each sentence, and for a corrected answer. listen: called with the
    progress.
    """

    def __init__(self, model: LanguageModel, listen: Listen | None = None) -> None:
        self.model, self.listen = model, listen

    def __call__(self, case: Case) -> Judgement:
        """P(yes) for each sentence of the draft. Raises ModelError if the model cannot be asked.

        It is UNREADABLE for a reply that is neither yes nor no. Without evidence it is 0, and the model is not asked.
        """
        count = len(case.sentences)
        if count > _SENTENCES:
            raise ModelError(
                f"A language model is asked about at most {_SENTENCES} sentences, this answer has {count}; shorten it."
            )
        if not any(e.kept for e in case.evidence):
            return Judgement(by=self.model.name, yes=(0.0,) * count)
        marks = []
        for n in range(count):
            if self.listen:
                self.listen(f"{self.model.name} reads sentence {n + 1} of {count} …")
            marks.append(self.model.yes(to_check(case, n, self.model.judged_characters)))
        return Judgement(
            by=self.model.name, yes=tuple(UNREADABLE if mark is None else mark for mark in marks),
            unreadable=tuple(n for n, mark in enumerate(marks) if mark is None),
        )  # fmt: skip

    def corrected(self, case: Case, domain: Domain) -> Draft:
        """A new answer to the question of `case`, from the passages only; it is checked like any other draft."""
        messages = to_correct(case, self.model.judged_characters, domain)
        completion = self.model.write(messages, _CORRECTION_TOKENS, listen=self.listen)
        return draft_of(completion, f"correction by {self.model.name}")
