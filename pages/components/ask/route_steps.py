"""The way of a question, step by step: what was decided at each, shortly for the map and in a sentence for the list."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from core.case import Round, Trace
from core.chain import REASONS, ROUNDS, CheckResult, Verdict, confidence_of
from core.chain.check_results import Results, blocking, judge_answer
from core.chain.display_rounding import beside, compared
from core.chain.facts import limits
from core.chain.messages import ENDS
from core.chain.routing import GROUNDING, INTEREST
from core.check import Check
from core.text.question_plan import plan_of
from core.thresholds import Preset
from pages.components.ask.confidence import confidence_drawn
from pages.components.shared.chain_map import PLACES, Leg
from pages.components.shared.safe_display import counted, plain

KINDS = {"small talk": "small talk", "about last turn": "my last words", "tool result": "tool result"}
_WORSE = {"at least": "<", "at most": ">"}
_GOOD = {"at least": "≥", "at most": "≤"}


@dataclass(kw_only=True)
class _Walked:
    """What a step may look at, and how often each step was taken before."""

    trace: Trace
    verdict: Verdict
    preset: Preset
    times: dict[str, int] = field(default_factory=dict)

    def round(self) -> Round:
        """The round that was judged first: a recheck and a correction go out from it."""
        judged = self.verdict.round
        return self.trace.round(judged.of) if judged.name == "rechecked" else judged

    def answer_checks(self) -> Results:
        """What the answer checks said at their first look."""
        if self.verdict.round.name == "rechecked":
            return judge_answer(self.round(), self.preset)
        return {n: r for n, r in self.verdict.checks.items() if r.stage == "answer"}

    def again(self) -> Results:
        """What they said at their second look: at a correction, or at an answer that was looked at again."""
        if "correct" not in self.verdict.steps:
            return {n: r for n, r in self.verdict.checks.items() if r.stage == "answer"}
        if self.verdict.route == "deliver_corrected":
            return self.verdict.delivery.checks
        return judge_answer(self.trace.round("corrected", self.verdict.round.name), self.preset)


def legs(trace: Trace, verdict: Verdict, preset: Preset) -> tuple[Leg, ...]:
    """The steps of `verdict.steps` in order, the end last."""
    walked = _Walked(trace=trace, verdict=verdict, preset=preset)
    return tuple(leg for step in verdict.steps for leg in _legs(walked, step))


def brief(verdict: Verdict) -> str:
    """The whole way in a line of Markdown; it is drawn further down."""
    words = [f"**{ENDS[s]}**" if s in ENDS else plain(_brief(s)) for s in verdict.steps]
    return " :material/chevron_right: ".join(words)


def _brief(step: str) -> str:
    if step.startswith("part "):
        part, _, route = step.partition(": ")
        return f"{part.capitalize()}: {ENDS[route].lower()}"
    return PLACES[_SAYS[_name(step)][0]].text


def _legs(walked: _Walked, step: str) -> Iterator[Leg]:
    name = _name(step)
    time = walked.times[name] = walked.times.get(name, -1) + 1
    if step in ENDS:
        yield Leg(place="end", said="", told=f"{ENDS[step]}.")
    else:
        place, say = _SAYS[name]
        said, told = say(walked, step, time)
        yield Leg(place=place, said=said, told=told)


def _name(step: str) -> str:
    """The step without what it carries: "refine 2" is a refine."""
    for name in ("kind", "refine", "part"):
        if step.startswith(name):
            return name
    return step


def _kind(walked: _Walked, step: str, __: int) -> tuple[str, str]:
    kind = step.removeprefix("kind: ")
    if kind == "question":
        return "a question", f"It is a question to the library. {_plan(walked.trace)}"
    known = f"It is {'about my last words' if kind == 'about last turn' else f'a {kind}' if 'tool' in kind else kind}"
    return KINDS.get(kind, kind), f"{known}: it asks nothing of the library."


def _plan(trace: Trace) -> str:
    """What is asked, and what a full answer needs; of a question in parts that is told of each part."""
    if trace.parts:
        return "It asks several things: a full answer needs each of them."
    return plan_of(trace.question.standalone).in_words


def _clear(walked: _Walked, *_: object) -> tuple[str, str]:
    result = walked.verdict.checks["clarity"]
    return short(result), f"{_number(result)} {result.why}"


def _split(walked: _Walked, *_: object) -> tuple[str, str]:
    parts = counted(len(walked.trace.parts), "part")
    return parts, f"The question has {parts}; each goes its way alone."


def _part(walked: _Walked, step: str, time: int) -> tuple[str, str]:
    query = walked.trace.parts[time].question.query
    return "", f"Part {time + 1}, “{query}”: {ENDS[step.partition(': ')[2]].lower()}. {plan_of(query).in_words}"


def _retrieve(walked: _Walked, *_: object) -> tuple[str, str]:
    if confidence_of(walked.trace.rounds[0]) is None:
        return "it broke", "The search broke."
    found = counted(len(walked.trace.rounds[0].case.evidence), "passage")
    return found, f"The search found {found}."


def _critic(walked: _Walked, _: str, time: int) -> tuple[str, str]:
    if (confidence := confidence_of(walked.trace.round(ROUNDS[time]))) is None:
        return "it broke", "There is no evidence, because the search broke."
    ends = limits(walked.preset)
    limit = ends[0] if walked.trace.question.scope.named else ends[1]
    drawn, sign = beside(confidence, *ends, least=0), "≥" if confidence / 100 >= limit / 100 - 1e-9 else "<"
    told = f"Evidence confidence {drawn} of 100, at least {limit:g} is asked."
    if sign == "<" and walked.trace.round(ROUNDS[time]).case.exhausted:
        told += " No other search would ask anything new."
    best = drawn if walked.verdict.confidence is None else confidence_drawn(walked.verdict, walked.preset)
    return f"{drawn} {sign} {limit:g}", told + (f" The best search has {best}." if best != drawn else "")


def _refine(walked: _Walked, _: str, time: int) -> tuple[str, str]:
    refined = walked.trace.round(ROUNDS[time + 1]).case
    words = f"as “{refined.query}”" if refined.query != refined.question.standalone else "in the same words"
    return "", f"Asked again {words}{f', and for “{refined.fetch}”' if refined.fetch else ''}."


def _query(walked: _Walked, *_: object) -> tuple[str, str]:
    return _checked({n: r for n, r in walked.verdict.checks.items() if r.stage == "query"})


def _write(walked: _Walked, *_: object) -> tuple[str, str]:
    draft = walked.round().case.draft
    count = counted(len(draft.sentences) if draft else 0, "sentence")
    return count, f"The answer has {count}{', as it was pasted' if draft and draft.given else ''}."


def _stage_1(walked: _Walked, *_: object) -> tuple[str, str]:
    result = walked.verdict.checks[INTEREST]
    if result.state == "failed":
        return ("blocks" if result.blocks else "only watches"), result.why + (
            "" if result.blocks else " It only watches."
        )
    if walked.verdict.steps[-2:] == ("stage 1", "deliver"):
        return "claims nothing", "Nothing is against it, and it states nothing that needs a check."
    return "nothing against it", f"Nothing is against it. {result.why}"


def _answer(walked: _Walked, _: str, time: int) -> tuple[str, str]:
    return _checked(walked.again(), "Again, ") if time else _checked(walked.answer_checks())


def _correct(walked: _Walked, *_: object) -> tuple[str, str]:
    again = walked.trace.round("corrected", walked.verdict.round.name)
    if again is None or not again.case.sentences:
        return "not possible", "The passages hold no sentences to say the answer in."
    return "", "The answer was said again in the words of its passages."


def _stage_2(walked: _Walked, _: str, time: int) -> tuple[str, str]:
    results = walked.verdict.checks if time else walked.answer_checks()
    result, check = results[GROUNDING], Check.registry[GROUNDING]
    if result.value is None:
        return "not measured", result.why
    t = check.bind(walked.preset)
    high, medium = float(t.high), float(t.medium)
    tier, value = check.tier_of(result.value, t), beside(result.value, high, medium)
    said = {"high": f"{value} ≥ {high:.2f}", "medium": f"{value} < {high:.2f}", "low": f"{value} < {medium:.2f}"}[tier]
    return f"{said}, {tier}", f"Score {value}, the {tier} tier: medium begins at {medium:.2f}, high at {high:.2f}."


def _recheck(walked: _Walked, *_: object) -> tuple[str, str]:
    again = walked.trace.round("rechecked", walked.round().name)
    if again is None:
        return "", "It is to be looked at again with more passages."
    better = walked.verdict.round is again
    more = counted(len(again.case.evidence), "passage")
    return ("better" if better else "no better"), f"Looked at again with {more}: {'better' if better else 'no better'}."


_SAYS: dict[str, tuple[str, Callable[..., tuple[str, str]]]] = {
    "kind": ("kind", _kind), "clear": ("clear", _clear), "split": ("parts", _split), "part": ("split", _part),
    "retrieve": ("retrieve", _retrieve), "critic": ("critic", _critic), "refine": ("refine", _refine),
    "query checks": ("query", _query), "write": ("write", _write), "stage 1": ("stage 1", _stage_1),
    "answer checks": ("answer", _answer), "correct": ("correct", _correct), "stage 2": ("stage 2", _stage_2),
    "recheck": ("recheck", _recheck),
}  # fmt: skip
"""Each step with its place on the map and what says how it went."""


def _checked(results: Results, again: str = "") -> tuple[str, str]:
    """How many checks passed; the first one that blocks, with its number beside its limit."""
    ran = [r for r in results.values() if r.state != "not_run"]
    passed, stopping = sum(r.state == "passed" for r in ran), blocking(results)
    told = f"{again}{passed} of {len(ran)} checks passed."
    if not stopping:
        watched = len(ran) - passed
        return ("all pass" if not watched else f"{watched} only watch"), told
    first, *others = sorted(stopping, key=lambda r: list(REASONS).index(r.reason))
    also = f" Also: {'; '.join(_words(r) for r in others)}." if others else ""
    return short(first), f"{told} Stopped by “{_words(first)}”: {_number(first)}{also}"


def short(result: CheckResult) -> str:
    """The number of a check beside its limit, "0.40 < 0.60"; its state for one without."""
    if result.margin is None:
        return "broke" if result.cause == "error" else "not asked"
    drawn = compared(result, Check.registry[result.name])
    signs = _GOOD if result.state == "passed" else _WORSE
    return f"{drawn.value} {signs[drawn.relation]} {drawn.limit}"


def _words(result: CheckResult) -> str:
    """What should hold, in a teacher's words."""
    return Check.registry[result.name].plain


def _number(result: CheckResult) -> str:
    """What a check found beside what it asks, in a sentence."""
    if result.margin is None:
        return "it broke." if result.cause == "error" else "not asked."
    drawn = compared(result, Check.registry[result.name])
    return f"{drawn.value}, {drawn.relation} {drawn.limit} {drawn.unit} is asked."
