"""The next step and the verdict on one question, put together for people. Pure: no model, no file, no clock."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from core.case import Evidence, Round, Sentence, Trace
from core.checks import all_checks, check_of
from core.checks.fact_grounding import TIERS, Tier
from core.decide.check_results import CheckResult, Results, blocking, judge, result, sort_reasons
from core.decide.delivery import Change, Delivery, correct, part, support, whole
from core.decide.engine import Decided, End, joint_route
from core.decide.evidence import Band, band_of, confidence_of
from core.decide.judged_sentences import (
    ABSTENTIONS,
    Abstention,
    JudgedSentence,
    abstention_of,
    deciding,
    judged_sentences,
)
from core.decide.measured import MeasuredSet
from core.decide.messages import clarification, fallback, handover, partial_answer, refusal
from core.decide.multi_part import joint_answer, joint_delivery, joint_round, joint_sentences, worst
from core.decide.points import Limits
from core.decide.routes import FIRST, LAYERS, NO_ROUND, ROUND_KEYS, ROUTES, STAGES, Route, Stage
from core.thresholds import Preset
from core.words import REASONS

NOTHING_STATED = "Passages were found, but none of their sentences states an answer."
"""The text of `low_grounding` if the writer wrote nothing: its usual text speaks of parts of an answer."""

NO_QUESTION = "This message is not a question to the library."
OF_A_WHOLE = "The whole question was clear."
NO_CLAIM = "The answer states nothing that needs a fact check."
NO_OFFER = ("other_language", "outside_scope")
"""Primary reasons of a refusal after which no other question is offered: the message says what to change instead."""
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
    round: of the judged answer. tier: of stage 2, None if that did not run or stage 1 blocks. abstention: "right" or
    "over_cautious" for an answer that is an abstention; else None. delivery: what is delivered of the judged answer,
    None if nothing is. parts: the verdicts on the parts of a question that asks several things. words: reason -> text,
    for reasons for which the domain has a text of its own.
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
    def abstained(self) -> bool:
        """True if nothing is answered because of a layer of source document C."""
        return bool(self.abstaining_layers)

    @property
    def abstaining_layers(self) -> tuple[str, ...]:
        """The layers of source document C because of which nothing is answered, in its order; () for any other end.

        Where the search is refused, nobody asks the layers that read the answer.
        """
        if self.parts:
            found = {n for p in self.parts for n in p.abstaining_layers} if self.route == "refuse" else ()
            return tuple(name for name in LAYERS if name in found)
        return abstaining_layers(self.route, self.stage, self.checks)

    @property
    def explanation(self) -> str:
        """The primary reason in plain words; "" if the answer is delivered as it is. For an abstention it also says
        whether that is right.
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
            own = [part.delivered_sentences if part.answered else () for part in self.parts]
            return _distinct(joint_sentences([part.round.case for part in self.parts], own))
        if self.route == "deliver_corrected":
            return self.delivery.sentences
        if self.route == "deliver_part":
            return tuple(s for s, c in zip(self.sentences, self.changes, strict=True) if c.done == "kept")
        return self.sentences

    def page_of(self, passage_index: int) -> int:
        """The page, from 1, on which the cited text of the passage at this index begins; 0 if it is unknown.

        That text is the first passage sentence that delivered sentences quote; without a quotation, the first that
        decided on an answer sentence; else the first that is relevant to the question.
        """
        evidence = self.round.case.evidence[passage_index]
        texts = {s.text for s in self.delivered_sentences if passage_index + 1 in s.citations}
        quotations = [i for i, text in enumerate(evidence.passage.sentences) if text in texts]
        relevant = quotations or sorted(deciding(self.round, passage_index)) or evidence.kept
        return evidence.passage.pages[relevant[0]] if relevant else evidence.passage.page

    @property
    def source(self) -> Evidence | None:
        """The first passage that a delivered answer cites, else the best one retrieved; None without passages."""
        evidence = self.round.case.evidence
        cited = (c for s in self.delivered_sentences for c in s.citations if 1 <= c <= len(evidence))
        first = next(cited, None) if self.answered else None
        return evidence[first - 1] if first else max(evidence, key=lambda e: e.answers, default=None)

    @property
    def source_page(self) -> int | None:
        """The page on which the cited text of `source` begins; None if it is unknown."""
        return (self.source and self.page_of(self.round.case.evidence.index(self.source))) or None


def abstaining_layers(route: Route, stage: Stage, checks: Results) -> tuple[str, ...]:
    """See `Verdict.abstaining_layers`; for a question without parts."""
    stages = {"query checks": ("query",), "answer checks": ("answer",), "correction": ("answer",)}.get(stage, ())
    blocking_layers = (checks[name] for name in LAYERS if checks[name].blocks)
    return tuple(r.name for r in blocking_layers if route == "refuse" and r.stage in stages)


def next_step(trace: Trace, preset: Preset) -> Step:
    """The next step: measure a round that is missing, or end on a route."""
    if trace.round(*FIRST) is None:
        return Step(action="measure", round=FIRST[0])
    decided = Decided(MeasuredSet.of([trace]), Limits(preset))
    units = range(1, 1 + len(trace.parts)) if decided.splits[0, 0] else (0,)
    for unit in units:
        if (missing := decided.ends.missing[unit, 0]) >= 0:
            name, of = ROUND_KEYS[missing]
            return Step(action="measure", round=name, of=of, part=unit - 1 if unit else None)
    return Step(action=ROUTES[decided.joint_routes[0, 0]])


def verdict(trace: Trace, preset: Preset, measured: MeasuredSet | None = None) -> Verdict:
    """The verdict on the rounds that `trace` holds; others, which `next_step` names, are left out. measured: the set of
    this trace alone, if it is at hand: it keeps the last results of the checks.
    """
    decided = Decided(measured or MeasuredSet.of([trace]), Limits(preset), keep_trail=True)
    if not decided.splits[0, 0]:
        return _single_verdict(trace, decided, 0, preset)
    parts = tuple(_single_verdict(p, decided, n, preset) for n, p in enumerate(trace.parts, 1) if p.rounds)
    return _joint_verdict(trace, decided, parts, preset)


def needed_rounds(trace: Trace, preset: Preset) -> tuple[Round, ...]:
    """The rounds of `trace` and of its parts that `preset` needs, in the order in which they would be measured. The
    list ends before the first round that is needed but was never measured.
    """
    growing, rounds = replace(trace, rounds=(), parts=tuple(replace(p, rounds=()) for p in trace.parts)), []
    while (step := next_step(growing, preset)).action == "measure":
        owner = trace if step.part is None else trace.parts[step.part]
        new = owner.round(step.round, step.of)
        if new is None or any(new is r for r in rounds):  # never measured, or its draft is not written yet
            break
        rounds.append(new)
        part = step.part if step.part is None else growing.parts[step.part].with_round(new)
        growing = growing.with_round(new) if part is None else growing.with_part(step.part, part)
    return tuple(rounds)


def _distinct(sentences: Iterable[Any]) -> tuple[Any, ...]:
    """The first of all sentences with the same text, since a sentence of two parts goes out once."""
    first_by_text: dict[str, Any] = {}
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


def offered_questions(trace: Trace, verdict: Verdict) -> tuple[str, ...]:
    """Questions that the books can answer, for a question without an answer; off their topics too, so that people find
    back to them. () for an answer, where the chain asks back, and for a refusal with one of NO_OFFER.
    """
    if verdict.answered or verdict.route == "clarify" or verdict.primary_reason in NO_OFFER:
        return ()
    return trace.suggestions


def overall_confidence(verdict: Verdict) -> float:
    """Confidence in the judged answer as a whole, 0 to 1: the lower of the evidence confidence as a share of 100 (0 if
    the search broke) and the probability that the passages support the least supported sentence, if any was compared.
    For a question in parts it is the lowest of the parts.
    """
    if verdict.parts:
        return min(map(overall_confidence, verdict.parts))
    probabilities = [p for p in support(verdict.round) if p is not None]
    return min([(verdict.confidence or 0.0) / 100, *probabilities])


def failed_of(results: Mapping[str, CheckResult]) -> tuple[str, ...]:
    """Names of the checks that failed or broke, whether they block or not."""
    return tuple(r.name for r in results.values() if r.state == "failed" or r.cause == "error")


def _single_verdict(trace: Trace, decided: Decided, unit: int, preset: Preset) -> Verdict:
    """The verdict on one unit of `decided` that has no parts or is a part. trace: that of the unit."""
    end, stage = decided.end(unit), STAGES[decided.ends.stage[unit, 0]]
    judged_round, results = trace.round(*end.round_key), _results(trace, decided, unit, preset)
    objections = decided.objections(unit)
    delivery, blocked_for = _delivery(trace, end, results, objections, preset), {r.reason for r in blocking(results)}
    if end.route == "refuse" and not judged_round.case.sentences:
        blocked_for.add("low_grounding")  # an empty answer is never grounded, whichever checks are on
    reasons, confidence = sort_reasons(blocked_for), confidence_of(judged_round)
    check, score = check_of("fact_grounding"), results["fact_grounding"].value
    tier = None if score is None or results["interest"].blocks else check.tier_of(score, check.bind(preset))
    delivered = {sentence.text for sentence in delivery.sentences} if delivery else set()
    texts = [sentence.text for sentence in judged_round.case.sentences]
    objections = ["" if text in delivered else why for text, why in zip(texts, objections, strict=True)]
    return Verdict(
        route=end.route, steps=decided.ends.steps(unit), stage=stage, checks=results, round=judged_round,
        primary_reason=reasons[0] if reasons else None, reasons=reasons,
        failed=failed_of(results) or ((OF_NOTHING,) if end.route == "refuse" else ()), confidence=confidence,
        band=band_of(confidence, preset), tier=tier, delivery=delivery,
        answer=_answer(trace, end.route, stage, delivery, results, preset), words=trace.messages,
        sentences=judged_sentences(judged_round, preset, objections), abstention=abstention_of(judged_round, preset),
    )  # fmt: skip


def _results(trace: Trace, decided: Decided, unit: int, preset: Preset) -> dict[str, CheckResult]:
    """The results of all checks at the end of a unit; "not applicable" for a check that plays no role on its path."""
    ends = decided.ends
    answer, query = ends.answer[unit, 0], ends.query[unit, 0]
    judged = trace.round(*ROUND_KEYS[answer])
    searched = judged if query == NO_ROUND else trace.round(*ROUND_KEYS[query])
    idle = {} if decided.measured.is_whole[unit] else {"clarity": OF_A_WHOLE}  # name of a check -> why it is idle
    if query == NO_ROUND:
        why = NO_QUESTION if decided.asks_nothing(unit) else NO_CLAIM
        idle |= {c.name: why for c in all_checks() if c.stage == "query"}
    if not ends.claims[unit, 0]:
        idle |= {c.name: NO_CLAIM for c in all_checks() if c.stage == "answer" and c.name != "interest"}
    results = [result(c, searched if c.stage == "query" else judged, preset) for c in all_checks()]
    fields = {"state": "not_run", "cause": "not applicable"}
    return {
        r.name: CheckResult(name=r.name, stage=r.stage, mode=r.mode, why=idle[r.name], **fields)
        if r.name in idle and r.cause != "off" else r
        for r in results
    }  # fmt: skip


def _delivery(trace: Trace, end: End, results: Results, objections: Sequence[str], preset: Preset) -> Delivery | None:
    """What is delivered at `end`; None if nothing is."""
    if end.delivery_key is None:
        return None
    judged_round, delivered_round = trace.round(*end.round_key), trace.round(*end.delivery_key)
    if end.route == "deliver_part":
        return part(judged_round, objections, preset)
    if end.route == "deliver_corrected":
        return correct(judged_round, delivered_round, judge(delivered_round, preset, "answer"))
    return whole(judged_round, {n: r for n, r in results.items() if r.stage == "answer"}, preset)


def _joint_verdict(trace: Trace, decided: Decided, parts: tuple[Verdict, ...], preset: Preset) -> Verdict:
    """The verdict on a question in parts. A part that was never measured counts as unanswered."""
    codes = [ROUTES.index(p.route) for p in parts] + [ROUTES.index("refuse")] * (len(trace.parts) - len(parts))
    route = ROUTES[joint_route(np.array(codes))]
    checks = worst([p.checks for p in parts]) | {
        n: r for n, r in _results(trace, decided, 0, preset).items() if n == "clarity" or not parts
    }
    reasons = sort_reasons({reason for p in parts for reason in p.reasons})
    confidence = min((p.confidence for p in parts if p.confidence is not None), default=None)
    delivery, abstentions, abstention = joint_delivery(trace, parts), [p.abstention for p in parts], None
    if parts and None not in abstentions:  # every part is an abstention
        abstention = "over_cautious" if "over_cautious" in abstentions else "right"
    abstained = any(p.abstained for p in parts)
    answer = joint_answer(trace, parts) if delivery else refusal(trace, preset, abstained=abstained)
    steps = (*decided.ends.steps(0), *(f"part {n}: {p.route}" for n, p in enumerate(parts, 1)), route)
    return Verdict(
        route=route, steps=steps, stage="parts",
        primary_reason=reasons[0] if reasons else None, reasons=reasons, failed=failed_of(checks),
        confidence=confidence, band=band_of(confidence, preset), answer=answer, checks=checks,
        sentences=joint_sentences([p.round.case for p in parts], [p.sentences for p in parts]),
        round=joint_round(trace, [p.round for p in parts]), delivery=delivery,
        parts=parts, words=trace.messages, abstention=abstention,
        tier=min((p.tier for p in parts if p.answered and p.tier), key=TIERS.index, default=None),
    )  # fmt: skip


def _answer(
    trace: Trace, route: Route, stage: Stage, delivery: Delivery | None, results: Results, preset: Preset
) -> str:  # fmt: skip
    """The text that the user gets."""
    if delivery:
        return partial_answer(trace, delivery.full_text) if route == "deliver_part" else delivery.full_text
    if route == "escalate":
        return handover(trace)
    if route == "clarify":
        return clarification(trace)
    if stage in ("stage 1", "stage 2"):
        return fallback(trace)
    return refusal(trace, preset, abstained=bool(abstaining_layers(route, stage, results)))
