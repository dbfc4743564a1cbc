"""Joins the verdicts on the parts of a question into one case, delivery and answer. Pure."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Any, Protocol, TypeVar

from core.case import Case, Draft, Round, Sentence, Trace, with_marks
from core.decide.check_results import CheckResult, Results
from core.decide.delivery import Delivery
from core.decide.judged_sentences import JudgedSentence
from core.decide.messages import omission_note, partial_answer, unanswered_note
from core.words import joined

_S = TypeVar("_S", Sentence, JudgedSentence, Sentence | JudgedSentence)


class PartEnd(Protocol):
    """What is needed of one part of a question: the judged round, the delivery (None if nothing is delivered), and
    `answered`, True if an answer to the part goes out. A `Verdict` has all three.
    """

    round: Round
    delivery: Delivery | None
    answered: bool


def joint_case(trace: Trace, rounds: Sequence[Round]) -> Case:
    """The case of the whole question. It has the passages of all parts, one part after the other, and the sentences of
    all parts. Their citation numbers are shifted so that they refer to these passages.
    """
    cases = [r.case for r in rounds]
    sentences = joint_sentences(cases, [case.sentences for case in cases])
    writers = dict.fromkeys(c.draft.writer for c in cases if c.draft)
    draft = Draft(text=with_marks(sentences), sentences=sentences, writer=joined([*writers], "and"))
    evidence = tuple(e for case in cases for e in case.evidence)
    closest = max((c.closest for c in cases if c.closest), key=lambda c: c.cosine, default=None)
    question = trace.question
    return Case(question=question, query=question.standalone, evidence=evidence, closest=closest, draft=draft)


def joint_sentences(cases: Sequence[Case], sentences: Sequence[Sequence[_S]]) -> tuple[_S, ...]:
    """The sentences of all parts, with the numbers that their passages have among those of all parts."""
    shifts = accumulate((len(c.evidence) for c in cases), initial=0)
    return tuple(_shifted(s, shift) for own, shift in zip(sentences, shifts, strict=False) for s in own)


def _shifted(sentence: _S, shift: int) -> _S:
    """A sentence whose passage numbers are higher by `shift`."""
    numbers: dict[str, Any] = {"citations": tuple(c + shift for c in sentence.citations)}
    if isinstance(sentence, JudgedSentence) and sentence.instead_passage:
        numbers["instead_passage"] = sentence.instead_passage + shift
    return replace(sentence, **numbers)


def joint_round(trace: Trace, rounds: Sequence[Round]) -> Round:
    """A round for display with the joint case of the parts; the signals are in the rounds of the parts."""
    return Round(name="parts", case=joint_case(trace, rounds))


def joint_delivery(trace: Trace, parts: Sequence[PartEnd]) -> Delivery | None:
    """The delivered parts joined into one answer over all passages; None if no part is delivered."""
    deliveries = [p.delivery for p in parts if p.delivery]
    if not deliveries:
        return None
    # A part that is not delivered loses its draft, and a part loses the sentences that an earlier one has. The passages
    # of both stay, so that citation numbers do not change.
    rounds: list[Round] = []
    texts: set[str] = set()
    for part in parts:
        case = part.delivery.round.case if part.delivery else replace(part.round.case, draft=None)
        new = tuple(s for s in case.sentences if s.text not in texts)
        if len(new) < len(case.sentences):
            case = replace(case, draft=replace(case.draft, sentences=new, text=with_marks(new)))
        texts |= {s.text for s in new}
        rounds.append(replace(part.round, case=case))
    changes = tuple(c for d in deliveries for c in d.changes)
    return Delivery(round=joint_round(trace, rounds), changes=changes, checks=worst([d.checks for d in deliveries]))


def joint_answer(trace: Trace, parts: Sequence[PartEnd]) -> str:
    """The delivered text with its notes on omitted sentences and unanswered parts; "" if nothing is delivered."""
    delivery = joint_delivery(trace, parts)
    if delivery is None:
        return ""
    answered_queries = {p.round.case.question.query for p in parts if p.answered}
    open_queries = [p.question.query for p in trace.parts if p.question.query not in answered_queries]
    notes = omission_note(delivery.left_out), unanswered_note(trace, open_queries)
    text = "\n\n".join(t for t in (delivery.text, *notes) if t)
    return partial_answer(trace, text) if delivery.left_out else text


def worst(results_of_parts: Sequence[Results]) -> dict[str, CheckResult]:
    """For each check, the result that hinders delivery most among the results of the parts."""
    names = dict.fromkeys(n for results in results_of_parts for n in results)

    def severity(result: CheckResult) -> tuple[bool, bool, float]:
        """Lower hinders more: blocking results, then those that ran, then the smaller margin."""
        return not result.blocks, result.state == "not_run", 0.0 if result.margin is None else result.margin

    return {name: min((r[name] for r in results_of_parts if name in r), key=severity) for name in names}
