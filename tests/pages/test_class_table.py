"""The table of the limits by class in the sidebar's dialog."""

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from core.presentation.class_words import entries_of
from core.presets.by_class import FILE, ClassLimits, limits_by_class, save_limits_by_class
from pages.components.shared.class_table import rows_of
from tests.pages.preset_boxes import box

ENTRY = ClassLimits(class_number=10, thresholds={"confidence.min_confidence": 60}, modes={"numbers": "watches"})


def _dialog():
    from pages.components.shared.class_table import class_dialog
    from pages.components.shared.page_run import init_session

    init_session()
    class_dialog()


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("GUARDRAIL_HOME", str(tmp_path))
    save_limits_by_class(tmp_path, [ENTRY])
    return tmp_path


def test_saving_the_table_unedited_keeps_the_limits(home):
    at = AppTest.from_function(_dialog, default_timeout=60).run()
    at.button(key="save limits by class").click().run()
    assert not at.exception and not at.error and limits_by_class(home) == (ENTRY,)


def test_an_edited_table_with_empty_cells_is_read(home):
    cells = [(10, None, "confidence.min_confidence", "60"), (None, "History", "numbers.mode", "Off"), (None,) * 4]
    table = pd.DataFrame(cells, columns=["Class", "Subject", "Limit", "Value"]).astype({"Class": "Int64"})
    assert entries_of(rows_of(table)) == [
        ClassLimits(class_number=10, thresholds={"confidence.min_confidence": 60}),
        ClassLimits(subject="History", modes={"numbers": "off"}),
    ]


def test_a_broken_file_is_one_sentence_and_is_not_overwritten(home):
    (home / FILE).write_text("{", encoding="utf-8")
    at = AppTest.from_function(_dialog, default_timeout=60).run()
    assert [f"{FILE} cannot be read" in error.value.replace("\\", "") for error in at.error] == [True]
    assert not at.button and (home / FILE).read_text(encoding="utf-8") == "{"


def test_only_who_may_change_presets_gets_the_button(home, monkeypatch):
    keys = dict.fromkeys(("open", "demo"))
    for mode in keys:
        monkeypatch.setenv("GUARDRAIL_MODE", mode)
        at = AppTest.from_function(box, default_timeout=60).run()
        keys[mode] = "by class" in {button.key for button in at.button}
    assert keys == {"open": True, "demo": False}
