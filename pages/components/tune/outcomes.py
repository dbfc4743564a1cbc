"""What a bank comes to: sentences, grid, curve, changed questions, refusals by reason, and one picture more."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import streamlit as st

from core.banks.scored_bank import Tally, ValuedBank
from core.chain import REASONS
from core.checks import all_thresholds
from core.evaluation.cases import Labelled
from core.evaluation.outcomes import Rate
from core.models.calibration import reliability_of
from core.models.profile import place_of, sources_of
from core.presets import values
from core.settings import Settings
from core.thresholds import Preset
from core.tuning.curves import heat, shares
from core.tuning.score_distributions import SCALES, Spread, of_confidence, rulers, stored
from pages.components.shared.figure import picture
from pages.components.shared.limits import current_preset, follow
from pages.components.shared.page_setup import let_in
from pages.components.shared.safe_display import counted, plain
from pages.components.shared.session import COST, CURVE, value
from pages.components.shared.sidebar import DECIDED, label
from pages.components.tune.changed_questions import View, changed_table, heading, share
from pages.components.tune.check_pictures import checks_picture, ruler_picture, scores_picture
from pages.components.tune.tradeoffs import curve_picture, heat_picture, reliability_picture


@st.fragment(key=DECIDED)
def decided(bank: ValuedBank, using: tuple[str, Settings], seen: Callable[[Preset, str], View]) -> None:
    """All that limits decide of a bank and that is always drawn: drawn again alone when one was moved.

    seen: what becomes of the bank under limits, with the curve of the threshold of this key.
    """
    let_in()
    follow(CURVE)  # the curve is that of the slider that was moved last, or of what was chosen since
    preset, key = current_preset(), value(CURVE)
    now = seen(preset, key)
    top(bank.cases, now, using)
    pictures(bank, preset, key, now.spread, using[0])


def top(cases: Sequence[Labelled], now: View, using: tuple[str, Settings]) -> None:
    """Counts, grid, curve, and the questions that changed."""
    came, drawn = st.columns([5, 6], gap="medium")
    with came:
        counts(now.now, now.before, now.unmeasured)
    with drawn:
        st.selectbox(
            "Curve of", list(all_thresholds()), key=CURVE, format_func=lambda key: label(all_thresholds()[key]),
            help="It follows the slider that you moved last",
        )  # fmt: skip
        picture(curve_picture(now.curve, float(value(now.curve.key))))
    st.subheader(heading(now.changes), anchor=False)
    if not now.changes:
        st.caption("Move a slider, or a check's mode: the questions that then end otherwise stand here.")
    changed_table("changed", cases, now.changes, using, "Under the preset", "Now")
    if now.amiss and (box := _opened(f"{counted(len(now.amiss), 'question')} not as it should be", "rule", "amiss")):
        with box:
            changed_table("amiss", cases, now.amiss, using, "", "Now")
    if box := _opened("Refusals by reason", "list", "refusals"):
        with box:
            refusals(now.inside, now.outside)


def _opened(title: str, icon: str, key: str) -> Any:
    """An expander while it is open: what nobody looks at is neither drawn nor sent."""
    box = st.expander(title, icon=f":material/{icon}:", key=key, on_change="rerun")
    return box if box.open else None


ROWS = ("should be answered", "should not")
COLUMNS = ("Question", "answered", "refused or asked back", "not measured yet")
_SIGNS = "✓ as it should be, ✗ not, ○ cannot be said; in brackets what is more or less than under the preset."


def counts(now: Tally, before: Tally, unmeasured: tuple[int, int]) -> None:
    """The sentences and the grid. before: the preset as it was picked; unmeasured: cases of each row of the grid."""
    st.markdown("  \n".join(sentences(now)))
    cells = grid(now, before, unmeasured)
    lines = [COLUMNS, ["---"] * len(COLUMNS), *([name, *row] for name, row in zip(ROWS, cells, strict=True))]
    st.markdown("\n".join(f"| {' | '.join(line)} |" for line in lines))
    st.caption(_SIGNS)


def sentences(t: Tally) -> list[str]:
    """The outcome in plain words, each share with its n and its 95 % interval."""
    found = []
    if t.due:
        fair = f", **{t.fair}** in part or at length" if t.fair else ""
        found.append(
            f"Of **{t.due}** that should be answered: **{t.right}** right{fair}, **{t.wrong}** wrong "
            f"({share(Rate(count=t.wrong, n=t.due))}), **{t.over_refused}** refused ({share(t.over_refusal)})."
        )
    if t.others:
        held = t.held + t.fairly_held
        found.append(
            f"Of **{t.others}** {'others' if t.due else 'that should not'}: **{held}** refused or asked back, "
            f"**{t.let_out}** answered ({share(Rate(count=t.let_out, n=t.others))})."
        )
    if t.unsaid:
        found.append(
            f"{counted(t.unsaid, 'case')} not counted: these limits lead to a search that was never measured, the "
            "question could not be asked, or no label says what is right."
        )
    return found or ["No case can be counted under these limits."]


def grid(now: Tally, before: Tally, unmeasured: tuple[int, int]) -> list[list[str]]:
    """The cells as Markdown: what stands where, with a sign of its own, and what has changed since the preset."""
    right, held = now.right + now.fair, now.held + now.fairly_held
    return [
        [
            f":green[✓ {right}]{_since(right, before.right + before.fair)} "
            f":red[✗ {now.wrong}]{_since(now.wrong, before.wrong)}",
            f":red[✗ {now.over_refused}]{_since(now.over_refused, before.over_refused)}",
            f":gray[○ {unmeasured[0]}]",
        ],
        [
            f":red[✗ {now.let_out}]{_since(now.let_out, before.let_out)}",
            f":green[✓ {held}]{_since(held, before.held + before.fairly_held)}",
            f":gray[○ {unmeasured[1]}]",
        ],
    ]


def refusals(inside: Mapping[str, int], outside: Mapping[str, int]) -> None:
    """Seed A's table: refusals by their primary reason. inside: of what should be answered; outside: of the others."""
    lines = refusal_lines(inside, outside)
    if not lines:
        st.caption("Nothing is refused under these limits.")
        return
    head = ["| Refused because | Should be answered | Should not | Of all refusals |", "|---|---:|---:|---:|"]
    st.markdown("\n".join(head + lines))


def refusal_lines(inside: Mapping[str, int], outside: Mapping[str, int]) -> list[str]:
    """A line for each reason that occurs, the most frequent first, and one for all."""
    both = {name: inside.get(name, 0) + outside.get(name, 0) for name in REASONS}
    n = sum(both.values())
    lines = []
    for name in sorted((name for name in both if both[name]), key=lambda name: -both[name]):
        reason, rate = plain(REASONS[name].rstrip(".")), Rate(count=both[name], n=n)
        lines.append(
            f"| {reason} :gray[({plain(name)})] | {inside.get(name, 0)} | {outside.get(name, 0)} "
            f"| {both[name]} ({share(rate)}) |"
        )
    return lines


def _since(now: int, before: int) -> str:
    """How many more or fewer than under the preset."""
    return f" :blue[({now - before:+d})]".replace("-", "−") if now != before else ""


PICTURES = {
    "scores": "Scores of this check", "heat": "Two limits", "ruler": "Ruler", "checks": "Which checks matter",
    "confidence": "Is the confidence right?", "nli": "Are the labels right?",
}  # fmt: skip
_CONFIDENCE = "True is: the best passage holds what the question asks for."
_NLI = "Measured when the model was calibrated, on labelled sentences that it never saw."


def pictures(bank: ValuedBank, preset: Preset, key: str, spread: Spread | None, profile: str) -> None:
    """The choice, and the picture that is chosen."""
    chosen = st.segmented_control(
        "More pictures", list(PICTURES), key="tune picture", default="scores", required=True,
        format_func=PICTURES.get, label_visibility="collapsed",
    )  # fmt: skip
    if chosen == "scores":
        _scores(spread)
    elif chosen == "heat":
        _heat(bank, preset, key)
    elif chosen == "ruler":
        _ruler(bank, preset)
    elif chosen == "checks":
        picture(checks_picture(shares(bank, preset)))
    elif chosen == "confidence":
        found = bank.remembered("reliability", lambda: of_confidence(bank.cases))
        picture(reliability_picture("confidence", found, "The evidence confidence", _CONFIDENCE))
    else:
        _nli(profile)


def _scores(spread: Spread | None) -> None:
    if spread is None:
        st.caption("This check decides no case of this bank, so it has no scores to draw.")
    else:
        picture(scores_picture(spread))


def _heat(bank: ValuedBank, preset: Preset, key: str) -> None:
    others = [k for k in all_thresholds() if k != key]
    other = st.selectbox(
        "With the threshold", others, key="other threshold", width=340, format_func=lambda k: label(all_thresholds()[k])
    )
    with st.spinner("Deciding the bank at every pair of values …"):
        found = heat(bank, preset, key, other)
    now = values(preset)
    picture(heat_picture(found, value(COST), (now[key], now[other])))


def _ruler(bank: ValuedBank, preset: Preset) -> None:
    scale = st.segmented_control(
        "Score", list(SCALES), key="ruler scale", default="cosine", required=True, format_func=SCALES.get
    )
    found = bank.remembered(("ruler", scale), lambda: rulers(bank.cases, scale))
    if found:
        picture(ruler_picture(found, preset))
    else:
        st.caption("This bank holds no question without an answer to judge, so there is nothing to lay a ruler along.")


def _nli(profile: str) -> None:
    told = _told(profile)
    if not told:
        st.caption("This NLI model comes without a calibration, so nobody has counted how often its labels are right.")
        return
    after, before = stored(told["after"]), stored(told.get("before", {}))
    what = "The probability of a sentence's label"
    picture(reliability_picture("nli_labels", after, what, _NLI, before if before.n else None))


@lru_cache(maxsize=8)
def _told(profile: str) -> dict[str, Any]:
    """What the calibration of the profile's NLI model says of its labels."""
    return reliability_of(Path(place_of(sources_of(profile).entailer)[0]))
