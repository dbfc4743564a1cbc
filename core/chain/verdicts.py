"""From the rounds of a trace to the next step and the verdict: what the user gets, and why. Pure: no model, no file.

The way itself stands in routing.py, what goes out in delivery.py.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from core.case import Round, Trace
from core.chain.abstention import ABSTENTIONS, Abstention, abstention_of, joint_abstention
from core.chain.check_results import REASONS, CheckResult, blocking, check_named, ordered
from core.chain.delivery import Change, Delivery
from core.chain.facts import Band, TraceFacts, band_of, confidence_of
from core.chain.judged_sentences import JudgedSentence, judged_sentences
from core.chain.messages import clarifying, fallback, handed_over, refusal
from core.chain.multi_part import joint_answer, joint_delivery, joint_route, shifted, together, worst
from core.chain.routing import CLARITY, FIRST, GROUNDING, Path, Route, walk
from core.checks.fact_grounding import TIERS, Tier
from core.thresholds import Preset

SAID_AND_YET: Mapping[str | None, str] = {
    "low_grounding": "The passages seem to say this, but not closely enough to give it out.",
    "hallucination_detected": "Something in the answer, such as a number or a name, does not stand in the passages.",
}
"""Reasons in other words, where each sentence by itself is said by a passage."""
NOTHING_STATED = "Passages were found, but no whole sentence of them states an answer."
"""The same where the writer had nothing to write: there is no answer of which parts could be denied."""


@dataclass(frozen=True, kw_only=True)
class Step:
    """What to do next: measure the round that is missing, or end the route.

    round, of: the round to measure and the one that it goes out from. part: place of the part of the question that
    it belongs to, None for the question itself.
    """

    action: Literal["measure"] | Route
    round: str = ""
    of: str = ""
    part: int | None = None


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What the user gets, and why. `confidence` is the evidence confidence 0-100, `answer` what goes out.

    Where the search broke, or no part was measured yet, there is neither a confidence nor a band.

    `round`, `checks` and `sentences` are of the answer that was judged; `delivery` is what goes out of it, None when
    nothing does. `primary_reason` says why the judged answer does not go out as it is. `parts` are the verdicts on
    the parts of a question that asks several things; `words` what the house of the question says in words of its own.
    `abstention` says whether an answer that says that there is none is right; None for any other answer.
    """

    route: Route
    steps: tuple[str, ...]
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
        """The primary reason in plain words; empty when the answer goes out as it is. Of an answer that says that there
        is none, whether that is right, too."""
        if self.abstention and self.primary_reason:
            said = dict.fromkeys((self.primary_reason, "abstained"))
            return " ".join([*map(self.said_of, said), ABSTENTIONS[self.abstention]])
        if self.primary_reason == "low_grounding" and not self.sentences:
            return NOTHING_STATED
        if self.sentences and self.supported == len(self.sentences):  # else it would deny what the labels say
            return SAID_AND_YET.get(self.primary_reason) or self.said_of(self.primary_reason)
        return self.said_of(self.primary_reason)

    def said_of(self, reason: str | None) -> str:
        """A reason in plain words, in those of the house where it has some; "" for none."""
        return self.words.get(reason) or REASONS[reason] if reason else ""

    @property
    def supported(self) -> int:
        """How many sentences the passages say."""
        return sum(s.supported for s in self.sentences)

    @property
    def changes(self) -> tuple[Change, ...]:
        """What became of each sentence of the judged answer; empty when nothing goes out."""
        return self.delivery.changes if self.delivery else ()


def next_step(trace: Trace, preset: Preset, *, of_a_whole: bool = False) -> Step:
    """The next step for `trace` under `preset`: measure a round that is not there yet, or end on a route.

    of_a_whole: `trace` is a part of a question that was clear as a whole.
    """
    if trace.round(*FIRST) is None:
        return Step(action="measure", round=FIRST[0])
    path = walk(TraceFacts(trace, preset, of_a_whole=of_a_whole))
    if path.route == "split":
        return _next_of_parts(trace, preset)
    if path.missing:
        return Step(action="measure", round=path.missing.name, of=path.missing.of)
    return Step(action=path.route)


def verdict(trace: Trace, preset: Preset, *, of_a_whole: bool = False) -> Verdict:
    """The verdict on the rounds that `trace` holds; a round still missing is left out of it, as a step shows."""
    found = TraceFacts(trace, preset, of_a_whole=of_a_whole)
    path = walk(found)
    if path.route != "split":
        return _concluded(found, path)
    return _joined(found, path, tuple(verdict(p, preset, of_a_whole=True) for p in trace.parts if p.rounds))


def needed(trace: Trace, preset: Preset) -> tuple[Round, ...]:
    """The rounds of `trace`, and of its parts, that `preset` needs, as they would be measured one after the other."""
    bare, found = replace(trace, rounds=(), parts=tuple(replace(p, rounds=()) for p in trace.parts)), []
    while (step := next_step(bare, preset)).action == "measure":
        owner = trace if step.part is None else trace.parts[step.part]
        one = owner.round(step.round, step.of)
        if one is None or any(one is r for r in found):  # never measured, or its draft still awaited
            break
        found.append(one)
        if step.part is None:
            bare = bare.with_round(one)
        else:
            bare = bare.with_part(step.part, bare.parts[step.part].with_round(one))
    return tuple(found)


def counted_sentences(verdict: Verdict, preset: Preset) -> tuple[JudgedSentence, ...]:
    """The sentences that go out, of all parts of a question; those that were judged when none does."""
    if verdict.answered and verdict.parts:
        return tuple(s for part in verdict.parts if part.answered for s in counted_sentences(part, preset))
    if verdict.route in ("deliver_part", "deliver_corrected"):
        return judged_sentences(verdict.delivery.round, preset)
    return verdict.sentences


def failed_of(results: Mapping[str, CheckResult]) -> tuple[str, ...]:
    """The names of the checks that failed or broke, whether they block or only watch."""
    return tuple(r.name for r in results.values() if r.state == "failed" or r.cause == "error")


def tier_of(results: Mapping[str, CheckResult], preset: Preset) -> Tier | None:
    """Stage 2's tier: high, medium or low; None when stage 2 did not run."""
    found, check = results.get(GROUNDING), check_named(GROUNDING)
    if found is None or found.value is None:
        return None
    return check.tier_of(found.value, check.bind(preset))


def _next_of_parts(trace: Trace, preset: Preset) -> Step:
    """The first round that a part lacks, else the end that the parts come to together."""
    steps = [next_step(part, preset, of_a_whole=True) for part in trace.parts]
    for place, step in enumerate(steps):
        if step.action == "measure":
            return replace(step, part=place)
    return Step(action=joint_route([step.action for step in steps]))


def _concluded(found: TraceFacts, path: Path) -> Verdict:
    """The verdict at the end of `path`, which one question took alone by what was `found`."""
    judged, results, preset = found.round(path.place), found.results(path.look), found.preset
    delivery, reasons = found.delivery(path), _reasons(path.route, judged, results)
    confidence = confidence_of(judged)
    return Verdict(
        route=path.route, steps=path.steps, primary_reason=reasons[0] if reasons else None, reasons=reasons,
        failed=failed_of(results), confidence=confidence, band=band_of(confidence, preset),
        answer=_answer(found, path, delivery), checks=results, sentences=judged_sentences(judged, preset),
        round=judged, tier=tier_of(results, preset), delivery=delivery, words=found.trace.messages,
        abstention=abstention_of(judged, preset),
    )  # fmt: skip


def _joined(found: TraceFacts, path: Path, parts: tuple[Verdict, ...]) -> Verdict:
    """The verdict on a trace whose `parts` were judged each on its own; the confidence is the lowest of them.

    A part that was never measured counts as one without an answer.
    """
    trace = found.trace
    unmeasured = len(trace.parts) - len(parts)
    route = joint_route([*(p.route for p in parts), *["refuse"] * unmeasured])
    checks = worst([p.checks for p in parts]) | {
        n: r for n, r in found.results(path.look).items() if n == CLARITY or not parts
    }
    reasons = ordered({reason for p in parts for reason in p.reasons})
    confidence = min((p.confidence for p in parts if p.confidence is not None), default=None)
    delivery = joint_delivery(trace, parts)
    answer = joint_answer(trace, parts) if delivery else refusal(trace, found.preset)
    return Verdict(
        route=route, steps=(*path.steps, *(f"part {n}: {p.route}" for n, p in enumerate(parts, 1)), route),
        primary_reason=reasons[0] if reasons else None, reasons=reasons, failed=failed_of(checks),
        confidence=confidence, band=band_of(confidence, found.preset), answer=answer, checks=checks,
        sentences=_sentences(parts), round=together(trace, [p.round for p in parts]), delivery=delivery, parts=parts,
        words=trace.messages, abstention=joint_abstention([p.abstention for p in parts]),
        tier=min((p.tier for p in parts if p.answered and p.tier), key=TIERS.index, default=None),
    )  # fmt: skip


def _sentences(parts: Sequence[Verdict]) -> tuple[JudgedSentence, ...]:
    shifts = shifted([p.round.case for p in parts])
    return tuple(
        replace(s, citations=tuple(c + shift for c in s.citations))
        for part, (_, shift) in zip(parts, shifts, strict=True)
        for s in part.sentences
    )


def _reasons(route: Route, judged: Round, results: Mapping[str, CheckResult]) -> tuple[str, ...]:
    """Why the judged answer does not go out as it is, the primary reason first."""
    found = {r.reason for r in blocking(results)}
    if route == "refuse" and not judged.case.sentences:
        found.add("low_grounding")  # an empty answer is not grounded, whichever checks are on
    return ordered(found)


def _answer(found: TraceFacts, path: Path, delivery: Delivery | None) -> str:
    if delivery:
        return delivery.told
    if path.route == "escalate":
        return handed_over(found.trace)
    if path.route == "clarify":
        return clarifying(found.trace)
    of_its_stages = path.steps[-2] in ("stage 1", "stage 2")
    return fallback(found.trace) if of_its_stages else refusal(found.trace, found.preset)
