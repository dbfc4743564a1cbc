"""Computes the next step and the verdict from the rounds of a trace. Pure: no model, no file, no clock.

The decision flow is in routing.py, the delivery in delivery.py.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeVar

from core.case import Round, Sentence, Trace
from core.chain.check_results import CheckResult, blocking, find_check, sort_reasons
from core.chain.delivery import Change, Delivery, support
from core.chain.facts import Band, TraceFacts, band_of, confidence_of
from core.chain.judged_sentences import (
    ABSTENTIONS,
    Abstention,
    JudgedSentence,
    abstention_of,
    cited_page,
    joint_abstention,
    judged_sentences,
)
from core.chain.messages import clarification, fallback, handover, partial_answer, refusal
from core.chain.multi_part import cases_with_offsets, joint_answer, joint_delivery, joint_route, merge_rounds, worst
from core.chain.routing import CLARITY, FACT_GROUNDING, FIRST, INTEREST, Path, Route, Stage, walk
from core.checks.fact_grounding import TIERS, Tier
from core.thresholds import Preset
from core.words import REASONS

_S = TypeVar("_S", Sentence, JudgedSentence, Sentence | JudgedSentence)

NOTHING_STATED = "Passages were found, but none of their sentences states an answer."
"""The text of `low_grounding` if the writer wrote nothing: its usual text speaks of parts of an answer."""

OF_NOTHING = "grounding"
"""The check that a refusal names if the draft is empty and no check fails: an empty draft is never grounded."""


@dataclass(frozen=True, kw_only=True)
class Step:
    """The next step: measure a missing round, or end with a route.

    action: "measure", or the route. round: name of the round to measure. of: name of the round that it corrects or
    rechecks, "" for none. part: index of the part of the question to which the round belongs; None for the question
    itself.
    """

    action: Literal["measure"] | Route
    round: str = ""
    of: str = ""
    part: int | None = None


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """The guardrail's decision on a question: the answer for the user, and the reasons.

    route: how the question ends. steps: the path in words, for people to read. stage: the section of the decision flow
    that ended the path. primary_reason: the first of `reasons`, which say why the judged answer is not delivered as it
    is. failed: names of the checks that failed or broke. confidence: evidence confidence, 0 to 100; confidence and band
    are None if the search broke or no part was measured yet. answer: the text that is delivered. checks, sentences,
    round: of the judged answer. tier: of stage 2, None if that did not run. abstention: for an answer that is an
    abstention "right" or "over_cautious"; else None. delivery: what is delivered of the judged answer, None if nothing
    is. parts: the verdicts on the parts of a question that asks several things. words: reason -> text, for reasons for
    which the domain has a text of its own.
    """

    route: Route
    steps: tuple[str, ...]
    stage: Stage
    primary_reason: str | None
    reasons: tuple[str, ...]
    failed: tuple[str, ...]
    confidence: float | None
    band: Band | None
    answer: str
    checks: Mapping[str, CheckResult]
    sentences: tuple[JudgedSentence, ...]
    round: Round
    tier: Tier | None = None
    abstention: Abstention | None = None
    delivery: Delivery | None = None
    parts: tuple["Verdict", ...] = ()
    words: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def answered(self) -> bool:
        return self.route.startswith("deliver")

    @property
    def explanation(self) -> str:
        """The primary reason in plain words; "" if the answer is delivered as it is.

        For an answer that is an abstention, it also says whether the abstention is right.
        """
        if self.abstention and self.primary_reason:
            reasons = dict.fromkeys((self.primary_reason, "abstained"))
            return " ".join([*map(self.reason_text, reasons), ABSTENTIONS[self.abstention]])
        if self.primary_reason == "low_grounding" and not self.sentences:
            return NOTHING_STATED
        is_supported = self.sentences and self.supported == len(self.sentences)
        if is_supported and self.primary_reason and REASONS[self.primary_reason].supported:
            return REASONS[self.primary_reason].supported  # the usual text would contradict the labels
        return self.reason_text(self.primary_reason)

    def reason_text(self, reason: str | None) -> str:
        """The text of a reason: that of the domain if it has one, else the built-in one; "" for None."""
        return self.words.get(reason) or REASONS[reason].sentence if reason else ""

    @property
    def supported(self) -> int:
        """Number of sentences that the passages support."""
        return sum(s.supported for s in self.sentences)

    @property
    def changes(self) -> tuple[Change, ...]:
        """The change of each sentence of the judged answer; () if nothing is delivered."""
        return self.delivery.changes if self.delivery else ()

    @property
    def delivered_sentences(self) -> tuple[Sentence | JudgedSentence, ...]:
        """The delivered sentences with their citations; if nothing is delivered, the judged sentences."""
        if self.parts and self.answered:
            return _distinct(_sentences(self.parts, lambda part: part.delivered_sentences if part.answered else ()))
        if self.route == "deliver_corrected":
            return self.delivery.sentences
        if self.route == "deliver_part":
            return tuple(s for s, c in zip(self.sentences, self.changes, strict=True) if c.done == "kept")
        return self.sentences

    def page_of(self, passage_index: int) -> int:
        """The page, from 1, that is named for the passage at this index: that of what the delivered sentences cite of
        it. 0 if it is unknown.
        """
        return cited_page(self.round, passage_index, self.delivered_sentences)


def next_step(trace: Trace, preset: Preset, *, is_part: bool = False) -> Step:
    """The next step: measure a round that is missing, or end on a route.

    is_part: True if `trace` is a part of a question that was clear as a whole; the clarity of the part is then not
    checked.
    """
    if trace.round(*FIRST) is None:
        return Step(action="measure", round=FIRST[0])
    path = walk(TraceFacts(trace, preset, is_part=is_part))
    if path.route == "split":
        steps = [next_step(part, preset, is_part=True) for part in trace.parts]
        missing = (replace(step, part=n) for n, step in enumerate(steps) if step.action == "measure")
        return next(missing, None) or Step(action=joint_route([step.action for step in steps]))
    if path.missing:
        name, of = path.missing
        return Step(action="measure", round=name, of=of)
    return Step(action=path.route)


def verdict(trace: Trace, preset: Preset, *, is_part: bool = False) -> Verdict:
    """The verdict on the rounds that `trace` holds. A round that the preset needs and the trace lacks is left out;
    `next_step` names it.
    """
    facts = TraceFacts(trace, preset, is_part=is_part)
    path = walk(facts)
    if path.route != "split":
        return _single_verdict(facts, path)
    return _joint_verdict(facts, path, tuple(verdict(p, preset, is_part=True) for p in trace.parts if p.rounds))


def needed_rounds(trace: Trace, preset: Preset) -> tuple[Round, ...]:
    """The rounds of `trace` and of its parts that `preset` needs, in the order in which they would be measured. The
    list ends before the first round that is needed but was never measured.
    """
    growing, rounds = replace(trace, rounds=(), parts=tuple(replace(p, rounds=()) for p in trace.parts)), []
    while (step := next_step(growing, preset)).action == "measure":
        owner = trace if step.part is None else trace.parts[step.part]
        measured_round = owner.round(step.round, step.of)
        if measured_round is None or any(
            measured_round is r for r in rounds
        ):  # never measured, or its draft is not written yet
            break
        rounds.append(measured_round)
        if step.part is None:
            growing = growing.with_round(measured_round)
        else:
            growing = growing.with_part(step.part, growing.parts[step.part].with_round(measured_round))
    return tuple(rounds)


def _distinct(sentences: Iterable[_S]) -> tuple[_S, ...]:
    """The first of all sentences with the same text, since a sentence of two parts goes out once."""
    first_by_text: dict[str, _S] = {}
    for sentence in sentences:
        first_by_text.setdefault(sentence.text, sentence)
    return tuple(first_by_text.values())


def counted_sentences(verdict: Verdict, preset: Preset) -> tuple[JudgedSentence, ...]:
    """The delivered sentences of the verdict, or of all its parts; if none is delivered, the judged sentences."""
    if verdict.answered and verdict.parts:
        return _distinct(s for part in verdict.parts if part.answered for s in counted_sentences(part, preset))
    if verdict.route in ("deliver_part", "deliver_corrected"):
        return judged_sentences(verdict.delivery.round, preset)
    return verdict.sentences


def overall_confidence(verdict: Verdict) -> float:
    """Confidence in the judged answer as a whole, 0 to 1.

    It is the lower of two numbers: the evidence confidence as a share of 100, and the probability that the passages
    support the least supported sentence. If no sentence was compared with passages, it is the first number alone; if
    the search broke, it is 0.
    """
    probabilities = [p for p in support(verdict.round) if p is not None]
    return min([(verdict.confidence or 0.0) / 100, *probabilities])


def failed_of(results: Mapping[str, CheckResult]) -> tuple[str, ...]:
    """Names of the checks that failed or broke, whether they block or not."""
    return tuple(r.name for r in results.values() if r.state == "failed" or r.cause == "error")


def tier_of(results: Mapping[str, CheckResult], preset: Preset) -> Tier | None:
    """Tier of stage 2: high, medium or low; None if stage 2 did not run, or was skipped because stage 1 blocks."""
    result, check = results.get(FACT_GROUNDING), find_check(FACT_GROUNDING)
    if result is None or result.value is None or (INTEREST in results and results[INTEREST].blocks):
        return None
    return check.tier_of(result.value, check.bind(preset))


def _single_verdict(facts: TraceFacts, path: Path) -> Verdict:
    """The verdict at the end of `path` for a question without parts."""
    judged_round, results, preset = facts.round(path.round_key), facts.results(path.rounds), facts.preset
    delivery, blocked_for = facts.delivery(path), {r.reason for r in blocking(results)}
    if path.route == "refuse" and not judged_round.case.sentences:
        blocked_for.add("low_grounding")  # an empty answer is never grounded, whichever checks are on
    reasons = sort_reasons(blocked_for)
    confidence = confidence_of(judged_round)
    return Verdict(
        route=path.route, steps=path.steps, stage=path.stage,
        primary_reason=reasons[0] if reasons else None, reasons=reasons,
        failed=failed_of(results) or ((OF_NOTHING,) if path.route == "refuse" else ()), confidence=confidence,
        band=band_of(confidence, preset), answer=_answer(facts, path, delivery), checks=results,
        sentences=judged_sentences(judged_round, preset),
        round=judged_round, tier=tier_of(results, preset), delivery=delivery, words=facts.trace.messages,
        abstention=abstention_of(judged_round, preset),
    )  # fmt: skip


def _joint_verdict(facts: TraceFacts, path: Path, parts: tuple[Verdict, ...]) -> Verdict:
    """The verdict on a question whose parts were judged separately; its confidence is the lowest of the parts.

    A part that was never measured counts as unanswered.
    """
    trace = facts.trace
    missing_count = len(trace.parts) - len(parts)
    route = joint_route([*(p.route for p in parts), *["refuse"] * missing_count])
    checks = worst([p.checks for p in parts]) | {
        n: r for n, r in facts.results(path.rounds).items() if n == CLARITY or not parts
    }
    reasons = sort_reasons({reason for p in parts for reason in p.reasons})
    confidence = min((p.confidence for p in parts if p.confidence is not None), default=None)
    delivery = joint_delivery(trace, parts)
    answer = joint_answer(trace, parts) if delivery else refusal(trace, facts.preset)
    return Verdict(
        route=route, steps=(*path.steps, *(f"part {n}: {p.route}" for n, p in enumerate(parts, 1)), route),
        stage=path.stage,
        primary_reason=reasons[0] if reasons else None, reasons=reasons, failed=failed_of(checks),
        confidence=confidence, band=band_of(confidence, facts.preset), answer=answer, checks=checks,
        sentences=_sentences(parts, lambda part: part.sentences),
        round=merge_rounds(trace, [p.round for p in parts]), delivery=delivery,
        parts=parts, words=trace.messages, abstention=joint_abstention([p.abstention for p in parts]),
        tier=min((p.tier for p in parts if p.answered and p.tier), key=TIERS.index, default=None),
    )  # fmt: skip


def _sentences(
    parts: Sequence[Verdict], sentences_of: Callable[[Verdict], Sequence[Sentence | JudgedSentence]]
) -> tuple[Sentence | JudgedSentence, ...]:
    """The sentences of all parts, with the numbers that their passages have among those of all parts."""
    shifts = cases_with_offsets([p.round.case for p in parts])
    return tuple(
        replace(s, citations=tuple(c + shift for c in s.citations))
        for part, (_, shift) in zip(parts, shifts, strict=True)
        for s in sentences_of(part)
    )


def _answer(facts: TraceFacts, path: Path, delivery: Delivery | None) -> str:
    if delivery:
        return partial_answer(facts.trace, delivery.full_text) if path.route == "deliver_part" else delivery.full_text
    if path.route == "escalate":
        return handover(facts.trace)
    if path.route == "clarify":
        return clarification(facts.trace)
    is_stopped_by_stage = path.stage in ("stage 1", "stage 2")
    return fallback(facts.trace) if is_stopped_by_stage else refusal(facts.trace, facts.preset)
