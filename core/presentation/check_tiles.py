"""The tile of a check: its name, its state, its value beside its limit, and the reason, as people read them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from core.check import mode_of
from core.checks import all_thresholds, check_of
from core.decide import CheckResult
from core.decide.points import Move
from core.presets import preset
from core.reply.display_rounding import decision_text, number, sign_text, threshold_value
from core.thresholds import MODE_NAMES, Threshold
from core.words import CAUSES, REASONS, count_of, joined

State = Literal["passed", "failed", "not_run"]


@dataclass(frozen=True, kw_only=True)
class Bar:
    """One component of the value of a check, drawn as a bar. text: the number. share: of its maximum, 0 to 1."""

    label: str
    text: str
    share: float


@dataclass(frozen=True, kw_only=True)
class Tile:
    """One check as people read it.

    check: its name in code. name: its short name. requirement: what holds when it passes. state: a check that broke and
    blocks counts as failed. state_text: the state in words, with its cause. value, limit: texts that read as one line,
    "0.23" and "needs 0.60"; the limit is "" if the check did not run. mode: Block, Monitor or Off. reason: why, in one
    sentence. sentence: the sentence of the answer or of a passage that decided, "" if none in particular did. bars:
    what the value is made of. flips: the nearest limits at which the result changes.
    """

    check: str
    name: str
    requirement: str
    stage: str
    state: State
    state_text: str
    value: str
    limit: str
    mode: str
    blocks: bool
    reason: str
    sentence: str
    bars: tuple[Bar, ...]
    flips: tuple[str, ...]

    @property
    def line(self) -> str:
        """Value and limit: "0.23, needs 0.60". For a check that did not run, only the reason."""
        return ", ".join(filter(None, (self.value, self.limit)))


def tile(result: CheckResult, moves: Mapping[str, Move] = MappingProxyType({})) -> Tile:
    """The tile of one result. moves: by key of a limit, the smallest move that changes the result of its check."""
    check = check_of(result.name)
    own_moves = [moves[t.key] for t in check.thresholds().values() if t.key in moves]
    value, limit = _figures(result)
    return Tile(
        check=result.name, name=check.short, requirement=check.plain, stage=result.stage, state=state(result),
        state_text=state_text(result), value=value, limit=limit, mode=MODE_NAMES[result.mode],
        blocks=result.mode == "blocks", sentence=result.sentence,
        reason=reason(result, *(m.new for m in own_moves if m.key == f"{check.name}.{result.by}")),
        bars=tuple(
            Bar(
                label=part.label, text=number(part.value, 2 if part.most == 1 else 0),
                share=max(0.0, min(1.0, part.value / part.most)),
            )
            for part in result.components
        ),
        flips=tuple(_flip(m, check.thresholds()[m.key.partition(".")[2]], result) for m in own_moves),
    )  # fmt: skip


def state(result: CheckResult) -> State:
    """The state that a tile shows: that of the result, except that a check that broke and blocks counts as failed."""
    return "failed" if result.cause == "error" and result.blocks else result.state


def state_text(result: CheckResult) -> str:
    """The state of a check in words. For a failed check that does not block, the words say that the check only
    monitors."""
    if result.cause == "error":
        return "broke, so nothing is delivered" if result.blocks else "broke"
    if result.state == "not_run":
        return "off" if result.cause == "off" else f"not run, {CAUSES[result.cause]}"
    return "failed, but only monitors" if result.state == "failed" and not result.blocks else result.state


def reason(result: CheckResult, *others: float) -> str:
    """The value and the limit of a check as text, then its explanation of why it passed or failed.

    others: further limits shown beside it; the value has enough decimals to stay on its side of them.
    """
    if result.margin is None:
        return result.why
    figures = ", ".join(_figures(result, *others))
    return f"{figures[:1].upper()}{figures[1:]}. {result.why}"


def in_order(results: Iterable[CheckResult]) -> list[CheckResult]:
    """The results in the order of the tiles; limits do not change the order.

    Checks that block under the default preset come first. Among these, the project's own checks come before those of
    the source documents.
    """

    def rank(result: CheckResult) -> tuple[bool, bool]:
        check = check_of(result.name)
        return mode_of(check, preset("default")) != "blocks", check.source_document != "ours"

    return sorted(results, key=rank)


def numbers_text(result: CheckResult) -> str:
    """A check with its numbers: "Support: 0.23, needs 0.60"."""
    return f"{check_of(result.name).short}: {', '.join(filter(None, _figures(result)))}"


def failing(results: Iterable[CheckResult]) -> tuple[list[CheckResult], list[CheckResult]]:
    """The failed results in two lists: those that block, most important reason first, and those that only monitor."""
    crosses = [r for r in results if state(r) == "failed"]
    blocking = sorted((r for r in crosses if r.blocks), key=lambda r: list(REASONS).index(r.reason))
    return blocking, [r for r in crosses if not r.blocks]


def tally(results: Iterable[CheckResult]) -> str:
    """The checks in one phrase: which of them block the answer, else how many passed; "no check ran" if none did.

    "Support failed; the other 16 checks that ran passed or only monitor"; "15 of 17 checks passed; 2 failed, but only
    monitor".
    """
    ran = [r for r in results if r.state != "not_run" or state(r) == "failed"]
    blocking, monitors = failing(ran)
    if not ran:
        return "no check ran"
    if blocking:
        names = joined([check_of(r.name).short for r in blocking], "and")
        others = len(ran) - len(blocking)
        others_text = f"; the other {count_of(others, 'check')} that ran passed or only monitor"
        return f"{names} failed{others_text if others else ''}"
    if monitors:
        failed = f"{len(monitors)} failed, but only {'monitors' if len(monitors) == 1 else 'monitor'}"
        return f"{len(ran) - len(monitors)} of {len(ran)} checks passed; {failed}"
    return f"all {len(ran)} checks passed" if len(ran) > 1 else "the one check that ran passed"


def limit_words(key: str, *values: float | str) -> tuple[str, ...]:
    """(name, values, unit) of a limit or a mode as people read them. key: of the limit, or "CHECK.mode"."""
    threshold = all_thresholds().get(key)
    if threshold is None:
        modes = (MODE_NAMES[mode] for mode in values)
        return f"Mode: {check_of(key.partition('.')[0]).plain}", *modes, "mode"
    return threshold.label, *(threshold_value(threshold, value) for value in values), threshold.unit


def _figures(result: CheckResult, *others: float) -> tuple[str, str]:
    """Value and limit as texts: "0.23" and "needs 0.60", or "1 unsupported" and "none allowed"; for a check that did
    not run, the reason and ""."""
    if result.margin is None:
        return CAUSES[result.cause], ""
    check = check_of(result.name)
    figures = decision_text(result, check, *others)
    threshold, word = check.thresholds().get(result.by), check.faults.get(result.by, "")
    if not word:
        unit = f" {figures.unit}" if threshold and threshold.high > 1 else ""  # a score from 0 to 1 is written alone
        noun = unit.removesuffix("s") if figures.value == "1" else unit
        return f"{figures.value}{noun}", f"{'needs' if figures.relation == 'at least' else 'at most'} {figures.limit}"
    if threshold is None:
        count = number(result.value, 0) if float(result.value).is_integer() else figures.value
        return f"{count} {word}", "none allowed"
    is_lowest = figures.value == number(-1.0)  # the value of a case in which nothing was compared
    return f"not {word}" if is_lowest else f"{figures.value} {word}", f"at most {figures.limit}"


def _flip(move: Move, threshold: Threshold, result: CheckResult) -> str:
    """A sentence with the value of a limit at which the result changes, and its distance from the current value."""
    difference = sign_text(move.new - move.old, 0 if threshold.whole else 2)
    turns = "pass" if result.state == "failed" else "fail"
    return f"Would {turns} with {threshold.label} at {threshold_value(threshold, move.new)} ({difference})"
