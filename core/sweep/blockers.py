"""What would have to change before anything goes out: for each way to an answer the checks that forbid it. Pure."""

from collections.abc import Iterator

from core.case import Round, Trace
from core.chain.check_results import blocking, in_force, judge, judge_answer
from core.chain.delivery import restricted
from core.chain.evidence_confidence import ROUNDS
from core.chain.facts import CLARITY, INTEREST
from core.thresholds import Preset


def blocker_sets(trace: Trace, preset: Preset) -> list[frozenset[str]]:
    """For each way on which an answer to `trace` could go out, the checks that forbid it under `preset`.

    An answer goes out whole, corrected, or as far as it holds, from any search that was made. It does not while a
    check of that way's set forbids it, so that a change which leaves one of each set alone changes nothing. Only
    ways that were measured are here.
    """
    if not trace.rounds:
        return []
    vague = _forbidding(trace.rounds[0], preset) & {CLARITY} if trace.parts else set()
    questions = trace.parts or (trace,)
    sets = {
        frozenset(vague | forbidden - ({CLARITY} if trace.parts else set()))
        for question in questions for measured in question.rounds if measured.name in ROUNDS
        for forbidden in _ways(question, measured, preset)
    }  # fmt: skip
    return sorted(sets, key=len)


def _ways(trace: Trace, measured: Round, preset: Preset) -> Iterator[set[str]]:
    """The checks that forbid each way out of one search: whole, corrected, or a sentence by itself."""
    if measured.case.kind != "question" and in_force(INTEREST, preset):
        yield _forbidding(measured, preset) & {INTEREST}  # nobody asks about its search, nor perhaps its claims
        return
    all_ = _forbidding(measured, preset)
    before = {r.name for r in blocking(judge(measured, preset), "query")} | (all_ & {INTEREST})
    yield before | all_
    again = trace.round("corrected", measured.name)
    if again and again.case.sentences:
        yield before | _of_answer(again, preset)
    for n in range(len(measured.case.sentences)):
        yield before | _of_answer(restricted(measured, (n,)), preset)


def _forbidding(measured: Round, preset: Preset) -> set[str]:
    return {r.name for r in blocking(judge(measured, preset))}


def _of_answer(measured: Round, preset: Preset) -> set[str]:
    return {r.name for r in blocking(judge_answer(measured, preset))}
