"""What a question that asks several things comes to, from the ends of its parts. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Protocol

from core.case import Case, Draft, Round, Trace
from core.chain.check_results import CheckResult, Results
from core.chain.delivery import Delivery
from core.chain.messages import left_out, not_answered
from core.chain.routing import Route
from core.text.answer_sentences import with_marks


class Ended(Protocol):
    """The end of one part: the round that was judged, and what goes out of it. A verdict is one."""

    round: Round
    delivery: Delivery | None
    answered: bool


def joint_route(routes: Sequence[Route]) -> Route:
    """All parts answered: the least whole of their routes; some: a part of the answer; none: a refusal."""
    answered = [r for r in routes if r.startswith("deliver")]
    if not answered:
        return "refuse"
    if len(answered) < len(routes) or "deliver_part" in answered:
        return "deliver_part"
    return "deliver_corrected" if "deliver_corrected" in answered else "deliver"


def joint_case(trace: Trace, rounds: Sequence[Round]) -> Case:
    """The case of a whole question: the passages of all its parts, one after the other, and their sentences."""
    cases = [r.case for r in rounds]
    sentences = tuple(
        replace(s, citations=tuple(c + shift for c in s.citations))
        for case, shift in shifted(cases)
        for s in case.sentences
    )
    writers = dict.fromkeys(c.draft.writer for c in cases if c.draft)
    draft = Draft(text=with_marks(sentences), sentences=sentences, writer=" and ".join(writers))
    evidence = tuple(e for case in cases for e in case.evidence)
    closest = max((c.closest for c in cases if c.closest), key=lambda c: c.cosine, default=None)
    asked = trace.question
    return Case(question=asked, query=asked.standalone, evidence=evidence, closest=closest, draft=draft)


def together(trace: Trace, rounds: Sequence[Round]) -> Round:
    """The rounds of the parts as one to look at; what was measured stays with the parts."""
    return Round(name="parts", case=joint_case(trace, rounds))


def joint_delivery(trace: Trace, parts: Sequence[Ended]) -> Delivery | None:
    """What goes out of all parts, as one answer over the passages of all; None when nothing does."""
    out = [p.delivery for p in parts if p.delivery]
    if not out:
        return None
    rounds = _said_once([p.delivery.round if p.delivery else _silent(p.round) for p in parts])
    changes = tuple(c for d in out for c in d.changes)
    return Delivery(round=together(trace, rounds), changes=changes, checks=worst([d.checks for d in out]))


def _silent(measured: Round) -> Round:
    """A round whose answer does not go out; its passages keep their places."""
    return replace(measured, case=replace(measured.case, draft=None))


def _said_once(rounds: Sequence[Round]) -> list[Round]:
    """The rounds without the sentences that one before them gives out already."""
    found: list[Round] = []
    said: set[str] = set()
    for one in rounds:
        new = tuple(s for s in one.case.sentences if s.text not in said)
        if len(new) < len(one.case.sentences):
            draft = replace(one.case.draft, sentences=new, text=with_marks(new))
            one = replace(one, case=replace(one.case, draft=draft))
        said |= {s.text for s in new}
        found.append(one)
    return found


def joint_answer(trace: Trace, parts: Sequence[Ended]) -> str:
    """What goes out, then what was left out of it, then the parts of the question that got no answer.

    "" where nothing goes out.
    """
    delivery = joint_delivery(trace, parts)
    if delivery is None:
        return ""
    answered = {p.round.case.question.query for p in parts if p.answered}
    open_ = [p.question.query for p in trace.parts if p.question.query not in answered]
    return "\n\n".join(t for t in (delivery.text, left_out(delivery.left_out), not_answered(trace, open_)) if t)


def shifted(cases: Sequence[Case]) -> Iterator[tuple[Case, int]]:
    """Each case with the number of passages before its own, by which its citations move."""
    before = accumulate((len(c.evidence) for c in cases), initial=0)
    return zip(cases, before, strict=False)


def worst(several: Sequence[Results]) -> dict[str, CheckResult]:
    """For each check the result that stands most in the way."""
    names = dict.fromkeys(n for results in several for n in results)
    return {name: min((r[name] for r in several if name in r), key=_ease) for name in names}


def _ease(result: CheckResult) -> tuple[bool, bool, float]:
    """Lower means more in the way: what blocks, then what did run, then the smaller margin."""
    return not result.blocks, result.state == "not_run", 0.0 if result.margin is None else result.margin
