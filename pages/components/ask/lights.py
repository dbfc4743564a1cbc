"""Three lights for what can go wrong: the book was not searched well, does not say it, or does not answer the question.

Each light holds its checks: their marks and names are always in sight, and a press on the light shows their values.
"""

from collections.abc import Mapping
from types import MappingProxyType

import streamlit as st

from core.check import Check, mode_of
from core.checks import check_of
from core.decide import Verdict
from core.decide.points import Move
from core.presentation.check_tiles import Tile, failing, in_order, state, tile
from core.reply.document_records import metadata
from core.thresholds import Preset
from core.words import VIOLATIONS
from pages.components.shared.safe_display import MARKUP, plain
from pages.components.shared.session import ASK
from pages.components.shared.settings_box import current_domain
from pages.components.shared.sidebar import mode, slider

LIGHTS = ("Found", "The book says so", "Answers it")
_ANSWERS_IT = ("answer_relevance", "hedging", "interest")
"""The checks of the last light; the checks of the question belong to the first, all others to the second."""
MARKS = {
    "passed": ":green[:material/check:]", "failed": ":red[:material/close:]", "not_run": ":gray[:material/circle:]",
}  # fmt: skip
"""The mark of each state of a check or a light, as Markdown."""
BEFORE = {
    "deliver_corrected": "Failed before the answer was corrected",
    "deliver_part": "Failed before the answer was shortened",
}
"""The line above the failed checks, by route, if the answer that goes out is not the one that they judged."""
TEST_MODE = "Test mode: stage 1 (scope) and stage 2 (facts) only monitor. They report problems, but stop no answer."


def lights(verdict: Verdict, preset: Preset, moves: Mapping[str, Move] = MappingProxyType({})) -> None:
    """Draw the lights with the names of their checks, and below them the checks that fail and block, or all checks of
    the light that was pressed, each with its value beside its limit. A press on a check opens it.

    moves: the smallest move of a limit that changes the result of its check, by the key of the limit.
    """
    tiles = tiles_of(verdict, moves)
    held, opened = by_light(tiles), ASK.light.value
    with st.container(horizontal=True, gap="small", key="lights"):
        for light, own in held.items():
            with st.container(key=f"light {light}", gap=None, width=146):
                st.button(
                    f"{mark(light_state(own), verdict)} **{light}**", key=f"open {light}", type="tertiary",
                    on_click=ASK.light.set, args=("" if opened == light else light,),
                    help="Show the checks of this light, each with its value and its limit",
                )  # fmt: skip
                st.html(MARKUP.names(own, verdict.answered))
    shown = held.get(opened) or blocking(verdict, tiles)
    if ASK.check.value and not opened:  # an open check stays while its limit moves and lets it pass
        shown |= {ASK.check.value: tiles[ASK.check.value]}
    if shown:
        label = "" if opened else BEFORE.get(verdict.route, "")
        chosen = st.pills(
            label or "Checks", list(shown), key=ASK.check.key, label_visibility="visible" if label else "collapsed",
            format_func=lambda n: f"{mark(tiles[n].state, verdict)} {tiles[n].name} :small[{plain(tiles[n].line)}]",
        )  # fmt: skip
        if chosen in shown:
            with st.container(border=True, key="check detail", gap="small"):
                note = violation(verdict, preset) if chosen == "interest" else ""
                _detail(shown[chosen], mark(shown[chosen].state, verdict), note)


def tiles_of(verdict: Verdict, moves: Mapping[str, Move] = MappingProxyType({})) -> dict[str, Tile]:
    """The tile of every check in the order of the lights, by its name. moves: as in `lights`."""
    return {r.name: tile(r, moves) for r in in_order(verdict.checks.values())}


def blocking(verdict: Verdict, tiles: Mapping[str, Tile]) -> dict[str, Tile]:
    """The tiles of the failed checks that block, the most important reason first. None for a question in parts: each
    part says why it was refused."""
    return {r.name: tiles[r.name] for r in ([] if verdict.parts else failing(verdict.checks.values())[0])}


def by_light(tiles: Mapping[str, Tile]) -> dict[str, dict[str, Tile]]:
    """The tiles of each light, by the name of the check."""
    found: dict[str, dict[str, Tile]] = {light: {} for light in LIGHTS}
    for name, one in tiles.items():
        found[LIGHTS[0 if one.stage == "query" else 2 if name in _ANSWERS_IT else 1]][name] = one
    return found


def light_state(tiles: Mapping[str, Tile]) -> str:
    """The state of a light: failed if one of its checks fails and blocks, not_run if none ran, else passed."""
    if any(t.state == "failed" and t.blocks for t in tiles.values()):
        return "failed"
    return "passed" if any(t.state != "not_run" for t in tiles.values()) else "not_run"


def mark(state: str, verdict: Verdict) -> str:
    """The mark of a check or a light as Markdown. Where nothing is answered, a pass is grey: nothing green stands under
    a refusal."""
    return MARKS[state] if verdict.answered else MARKS[state].replace(":green[", ":gray[")


def violation(verdict: Verdict, preset: Preset) -> str:
    """What the answer does against the interest of the domain, by stage 1, and how severe that is; "" for nothing."""
    stage_1 = metadata(verdict, preset, current_domain()).company_interest
    if stage_1 is None or stage_1.violation_type == "none":
        return ""
    return f"Problem: {VIOLATIONS[stage_1.violation_type]} ({stage_1.violation_type}), severity {stage_1.severity}"


def _detail(one: Tile, sign: str, note: str) -> None:
    """Draw one check: its mark, what it requires and why it failed or passed, a further note, its mode and its
    sliders."""
    check = Check.registry[one.check]
    text, hand = st.columns([3, 2], gap="medium")
    with text:
        required = f"{one.state_text[:1].upper()}{one.state_text[1:]}: {one.requirement}"
        st.markdown(f"{sign} **{plain(required)}** :gray[{plain(one.check)}]  \n{plain(one.reason)}")
        if note:
            st.markdown(plain(note))
        if one.sentence:
            st.markdown(f"> {plain(one.sentence)}")
        if one.bars:
            st.html(MARKUP.bars(one.bars))
        st.caption("  \n".join(map(plain, one.flips)))
    with hand:
        mode(check, "check")
        for threshold in check.thresholds().values():
            slider(threshold, place="check")
        if not check.thresholds():
            st.caption("This check has no limit to set: a single fault makes it fail.")


def test_mode_note(verdict: Verdict, current: Preset, base: Preset) -> str:
    """What test mode means, and why each failed stage would have stopped the answer; "" outside of test mode. That is
    when the user has set both stages to monitor: under `current` they do, and under `base`, the chosen preset, not."""
    stages = [check_of(name) for name in ("interest", "fact_grounding")]
    if [{mode_of(c, preset) for c in stages} == {"watches"} for preset in (current, base)] != [True, False]:
        return ""
    failures = [r for c in stages if state(r := verdict.checks[c.name]) == "failed"]
    return " ".join([TEST_MODE, *(f"The answer would have been stopped: {r.why}" for r in failures)])
