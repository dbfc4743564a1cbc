"""Cells, counts and progress texts of question sets, tested without the page."""

import pytest

from core.banks.saved import SavedBanks, set_name
from core.platform.jobs import People, time_left
from core.presentation.set_words import progress_words as said
from pages.components.shared import session_values
from pages.components.shared.session import TUNE
from pages.components.tune import open_set
from pages.components.tune.open_set import line, share
from pages.components.tune.questions import TITLES, _save_edits, edited_row, frame, heading

ROW = {"id": "a", "query": "What?", "expected": "refused", "class_number": 7, "documents": ["a.pdf"], "mine": [1]}


@pytest.mark.parametrize(
    ("cells", "fields"),
    [
        ({"Class": 8}, {"class_number": 8}),
        ({"Class": 8.0}, {"class_number": 8}),
        ({"Class": None}, {"class_number": None}),
        ({"Expected": "answered", "Documents": "b.pdf; c.pdf"}, {"expected": "answered", "documents": ["b.pdf", "c.pdf"]}),
        ({"Pages": "3-5"}, {"pages": [[3, 5]]}),
        ({"Question": None}, {"query": None}),
        ({"Measured": "x", "Id": "y"}, {}),
    ],
)  # fmt: skip
def test_typed_cells_change_their_fields_and_nothing_else(cells, fields):
    wanted = {k: v for k, v in {**ROW, **fields}.items() if v is not None}
    assert edited_row(ROW, cells) == wanted


def test_a_refused_cell_is_named_and_a_change_by_others_renews_the_table(tmp_path, monkeypatch):
    state = {}
    monkeypatch.setattr(session_values.st, "session_state", state)
    banks = SavedBanks(tmp_path)
    banks.add("mine", [{"id": "a", "query": "What is sound?"}])
    rows = banks.rows("mine")
    TUNE.table_stamp.value = ("mine", 0, banks.changed("mine"))
    state[TUNE.table.key] = {"edited_rows": {0: {"Class": 99, "Subject": "Science"}}}
    _save_edits(banks, "mine", rows)
    assert banks.rows("mine") == [{"id": "a", "query": "What is sound?", "subject": "Science"}]
    assert len(TUNE.cell_errors.value) == 1 and "Class of “What is sound?” is not saved" in TUNE.cell_errors.value[0]
    assert TUNE.table_stamp.value == ("mine", 0, banks.changed("mine"))  # the table is not renewed
    banks.add("mine", [{"id": "a", "query": "What is sound?", "subject": "Physics"}])
    state[TUNE.table.key] = {"edited_rows": {0: {"Class": 8}}}
    _save_edits(banks, "mine", rows)
    assert TUNE.table_stamp.value != ("mine", 0, banks.changed("mine"))


def test_values_that_cannot_be_shown_are_empty_cells():
    shown = frame(
        [ROW, {"id": "b", "query": "Who?", "class_number": 10**30, "contexts": ["One."]}],
        ["measured", "a model is gone"],
    )
    assert (
        shown[TITLES["contexts"]].isna().tolist() == [True, False]
        and shown[TITLES["contexts"]][1] == 1
        and TITLES["contexts"] not in frame([ROW], [""])
    )
    assert shown["Class"].isna().tolist() == [False, True] and shown["Documents"][0] == "a.pdf"
    assert shown["Measured"].tolist() == ["✓ measured", "✗ a model is gone"]


def test_counts_are_given_in_words():
    assert heading(["refused", ""]) == "2 questions (1 to refuse)"
    assert heading([]) == "0 questions"
    assert "All 2 questions are measured" in said(2, 0, 0) and "The question is measured" in said(1, 0, 0)
    assert "**1 of 3 questions** measured" in said(3, 2, 1) and "1 question could not be" in said(3, 2, 1)
    assert set_name("Meine Fragen (2)") == "Meine_Fragen_2" and set_name("???") == "set"
    assert [time_left(s) for s in (0.2, 12, 600, 7200)] == [
        "almost done",
        "about 12 s left",
        "about 10 min left",
        "about 2 h left",
    ]


class Told:
    """A fake run with the fields that the page reads."""

    def __init__(self, **about):
        from threading import Event

        self.stopping, self.failed, self.state = Event(), set(), "measuring"
        self.done, self.count, self.seconds_left = 0, 4, None
        self.__dict__.update(about)


def test_progress_includes_the_time_left(monkeypatch):
    monkeypatch.setattr(open_set, "PEOPLE", People())  # nobody asks, whatever other tests do
    assert "the next one is being measured" in line(Told()) and share(Told()) == 0
    assert line(Told(done=2, seconds_left=120.0)).startswith("2 of 4 questions measured, about 2 min left")
    stopping = Told(done=3, failed={"x"}, seconds_left=1.0)
    stopping.stopping.set()
    assert line(stopping).endswith("stopping after this question …") and share(stopping) == 1.0
    assert share(Told(count=0)) == 0
