"""The guarantee of a saved preset on the tab Limits: save a guarantee, see whether it is still valid, and add corrected
questions to the set."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from core.banks.saved import OWN, SavedBanks, set_title
from core.evaluation.stored_rows import ids_in
from core.graph.startup import home_folder
from core.journal.drift import dated_certificate
from core.platform.access import may
from core.presentation.guarantee_words import sentences, stored_sentence
from core.presets.by_class import changing, limits_by_class
from core.presets.saved import PresetError, SavedPresets
from core.thresholds import Preset
from core.tuning.certificates import certificate_of, row, void_reason
from core.tuning.guarantee import Certificate
from pages.components.shared.drift_box import drift_box, drift_of
from pages.components.shared.limits import chosen_preset, select_preset_next
from pages.components.shared.safe_display import ERRORS, count_text, plain, show, show_outcome
from pages.components.shared.session import TUNE
from pages.components.tune.open_set import OpenSet
from pages.components.tune.question_sets import set_messages


def saved_guarantee(opened: OpenSet, preset: Preset) -> None:
    """Draw the guarantee that was saved with the chosen preset; draw nothing if it has none.

    A void guarantee is drawn with the reason. A valid one is drawn with the drift since it was saved; if the questions
    differ, the drift is drawn first.
    """
    name = chosen_preset().name
    try:
        certificate = certificate_of(SavedPresets(home_folder()), name)
        by_class = changing(preset, limits_by_class(home_folder()))
    except ERRORS as error:
        show(error)
        return
    if not certificate:
        return
    void = void_reason(certificate, preset, opened.measured_bank.conditions.models_digest)
    drift = None if void else drift_of(name, certificate)
    is_different = drift is not None and drift.state == "different"
    if is_different:
        drift_box(drift)
    draw, icon = (
        (st.warning, "gpp_bad") if void else (st.info, "gpp_maybe") if is_different else (st.success, "verified")
    )
    sentence = stored_sentence(certificate, void, by_class=by_class, drifted=is_different)
    draw(plain(sentence), icon=f":material/{icon}:")
    if drift is not None and not is_different:
        drift_box(drift)


def corrected_questions(opened: OpenSet) -> None:
    """Draw the button that adds questions corrected on History to the open set; nothing if it has all of them."""
    banks = SavedBanks(home_folder())
    if not may("banks") or not opened.is_saved or opened.name == OWN or OWN not in banks.names():
        return
    try:
        rows = new_corrections(banks, ids_in(opened.rows))
    except ERRORS as error:
        show(error)
        return
    if rows:
        questions = count_text(len(rows), "corrected question")
        st.button(
            f"Add {questions} to this set", key="add corrected", icon=":material/playlist_add:", on_click=_add,
            args=(banks, opened.name, rows), help=f"They are in {set_title(OWN)}, with what they should have become.",
        )  # fmt: skip


def new_corrections(banks: SavedBanks, known_ids: Collection[str]) -> list[dict[str, Any]]:
    """The labelled rows of My questions whose ids are not among `known_ids`."""
    ids = set(known_ids)
    return [row for row in banks.rows(OWN) if row.get("kind") == "own" and row.get("expected") and row["id"] not in ids]


def _add(banks: SavedBanks, name: str, rows: Sequence[dict[str, Any]]) -> None:
    """Add corrected questions to a set and open its tab Run; a callback."""
    with TUNE.errors.catch():
        banks.add(name, rows)
        set_messages(
            f"{count_text(len(rows), 'question')} added. Run the set, then ask for the guarantee and a proposal again."
        )
        TUNE.tab.value = "Run"
    st.rerun()  # the whole page, because the button lies in a fragment


def save_box(opened: OpenSet, preset: Preset, result: Certificate) -> None:
    """Draw the popover that saves the certified limits as a preset with the certificate."""
    if not may("presets"):
        return
    with st.popover("Save with the guarantee", icon=":material/bookmark_add:", key="save certified"):
        st.text_input("Name of the preset", key=TUNE.guarantee_name.key, max_chars=60)
        st.button("Save", key="save certified now", type="primary", on_click=_save, args=(opened, preset, result))
        show_outcome((), TUNE.guarantee_errors.value)


def _save(opened: OpenSet, preset: Preset, result: Certificate) -> None:
    """Save the certified limits under the name in the field and select that preset; a callback."""
    TUNE.guarantee_errors.clear()
    saved, name = SavedPresets(home_folder()), TUNE.guarantee_name.value.strip()
    with TUNE.guarantee_errors.catch():
        if name in saved.names():
            raise PresetError(f"A preset is saved as {name!r} already; take another name.")
        named = replace(preset.with_values({result.key: result.value}), name=name, help=sentences(row(result))[0])
        models = opened.measured_bank.conditions.models_digest
        saved.save(named, dated_certificate(result, named, opened.bank.cases, models=models, bank=opened.name))
        select_preset_next(named)
    st.rerun()  # the whole page: the preset is chosen in the sidebar
