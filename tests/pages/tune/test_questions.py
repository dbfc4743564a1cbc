"""The tab Questions with a real library and fake models: create, paste, import, edit, draft and download."""

import csv
import io

import pytest
from streamlit.testing.v1 import AppTest

from core.banks.files import FIELDS, LEFT_OUT
from core.banks.saved import OWN, SAMPLE, label
from pages.components.shared.safe_display import plain, shorten
from pages.components.shared.session import TUNE
from pages.components.tune.new_questions import HOLDS, TITLES, preview_frame
from tests.support.app_pages import PATIENCE, ROOT, drawn_elements, press
from tests.support.tune_page import PAGE, TEXT, open_tune_page, tab

FILE = b"id,question,expected,class\na,What is photosynthesis?,answered,7\nb,Who wrote Hamlet?,no answer,\nc,=1+1,refused,nine\n"
HOSTILE = "<script>alert(1)</script> **bold** $x^2$ [a](javascript:alert(1)) :material/home:"


def drop(at, data, name="my bank.csv"):
    at.file_uploader[0].set_value([(name, data, "text/csv")]).run()
    assert not at.exception
    return at


def test_a_new_visitor_reads_the_sample_and_copies_it_to_edit_it(home, banks):
    at = open_tune_page(home)
    assert at.selectbox(key="bank").value == SAMPLE and not banks.names()
    assert any("come with the app" in c.value for c in at.caption) and "Remove" not in at.dataframe[0].value
    said = next(m.value for m in at.markdown if "questions (" in m.value and " to answer" in m.value)
    assert "None" not in said
    press(at, "Edit a copy")
    assert banks.names() == (SAMPLE,) and len(banks.rows(SAMPLE)) > 100
    assert len(at.dataframe[0].value) == len(banks.rows(SAMPLE)) and "Remove" in at.dataframe[0].value
    press(at, "Yes, delete it")
    assert not banks.names() and at.selectbox(key="bank").value == SAMPLE


def test_the_sample_is_open_until_the_user_chooses_another_set(home, banks):
    label(home, {"query": "What is sound?"}, "answered")  # what a correction in the history does
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=PATIENCE).run()
    at.switch_page(PAGE).run()
    assert at.selectbox(key="bank").value == SAMPLE and OWN in banks.names()
    at.selectbox(key="bank").set_value(OWN).run()
    at.switch_page("pages/history.py").run().switch_page(PAGE).run()
    assert not at.exception and at.selectbox(key="bank").value == OWN


def test_the_sample_is_no_place_for_drafts(home, banks):
    at = draft(open_tune_page(home))
    press(at, "Keep")
    assert banks.names() == (OWN,) and at.selectbox(key="bank").value == OWN


def draft(at):
    """Open the box of drafts, and draft from the book."""
    at.session_state["drafting"] = True
    at.run()
    return press(at, "Draft")


def test_a_bank_is_created_and_a_bad_name_shows_one_sentence(home, banks):
    at = open_tune_page(home)
    at.text_input(key="new bank").set_value("../evil")
    press(at, "Create")
    assert (
        len(at.error) == 1 and "The name of a question set may have up to 60" in at.error[0].value and not banks.names()
    )
    at.text_input(key="new bank").set_value("class 10")
    at.session_state[TUNE.new_box.key] = True
    press(at, "Create")
    assert not at.session_state[TUNE.new_box.key]  # an open popover would cover what is said
    assert banks.names() == ("class_10",) and not at.error and "This set is empty" in at.info[0].value


def test_pasted_questions_are_saved_with_what_is_expected_of_them(home, banks):
    banks.add("mine", [{"query": "What is sound?"}])
    at = open_tune_page(home)
    at.text_area(key="pasted questions").set_value("What is photosynthesis?\n\nWhat is sound?\n")
    at.selectbox(key="label of pasted questions").set_value("refused")
    press(at, "Add")
    assert [(r["query"], r.get("expected")) for r in banks.rows("mine")] == [
        ("What is sound?", "refused"), ("What is photosynthesis?", "refused"),
    ]  # fmt: skip
    assert "1 question saved to mine; 1 question was in the set already" in at.success[0].value
    press(at, "Add")
    assert len(at.error) == 1 and "holds no question" in at.error[0].value


def test_a_file_with_errors_is_not_imported_in_part(home, banks):
    at = drop(open_tune_page(home), FILE)
    report = at.dataframe[1].value
    assert any("Correct these lines in the file" in c.value for c in at.caption)
    assert report["Line"].tolist() == [3, 4] and "got 'no answer'" in report["What is wrong"][0]
    assert report["Expected"].tolist() == ["no answer", "refused"] and report["Class"][1] == "nine"
    assert not banks.names() and not any(b.label.startswith("Import all") for b in at.button)
    press(at, "Import only the 1 good row")
    assert [r["id"] for r in banks.rows("my_bank")] == ["a"]
    assert any("2 rows of my bank.csv left out" in s.value.replace("\\", "") for s in at.success)
    assert "import" not in at.session_state


def test_a_corrected_file_of_the_same_name_is_read_anew(home, banks):
    at = drop(open_tune_page(home), FILE)
    column(at, "class").set_value(LEFT_OUT).run()
    assert at.dataframe[1].value["Line"].tolist() == [3]
    drop(at, FILE.replace(b"no answer", b"refused").replace(b"nine", b"9"))
    assert column(at, "class").value == "class_number"
    press(at, "Import all 3 rows")
    assert [r["class_number"] for r in banks.rows("my_bank")[::2]] == [7, 9]


def test_a_field_has_one_name_in_the_table_of_a_set_and_at_its_import():
    assert {field: HOLDS[field] for field in TITLES} == TITLES and set(FIELDS) <= set(TITLES)
    assert HOLDS["reference"] == "Reference: what a right answer says"


def test_a_kept_column_with_the_title_of_another_has_a_title_of_its_own_in_the_preview():
    rows = [{"Question": "7b", "query": "What?", "Line": 3}, {"query": "Who?"}]
    shown = preview_frame(rows, {"Line": [2, 4]})
    assert shown["Question"].tolist() == ["What?", "Who?"] and shown["Question, kept as it is"][0] == "7b"
    assert shown["Line"].tolist() == [2, 4] and shown["Line, kept as it is"][0] == "3"


def test_a_file_can_be_discarded(home, banks):
    at = press(drop(open_tune_page(home), FILE), "Discard the file")
    assert not banks.names() and "import" not in at.session_state


def test_a_valid_file_is_imported_and_replaces_rows_of_the_same_id(home, banks):
    banks.add("mine", [{"id": "a", "query": "Old?"}, {"id": "z", "query": "Kept?"}])
    at = drop(open_tune_page(home), FILE.replace(b"no answer", b"refused").replace(b"nine", b"9"), "mine.csv")
    assert "nothing is wrong" in " ".join(drawn_elements(at))
    press(at, "Import all 3 rows")
    assert at.session_state[TUNE.tab.key] == "Bench"  # from where it is run
    assert [(r["id"], r["query"]) for r in banks.rows("mine")] == [
        ("a", "What is photosynthesis?"), ("z", "Kept?"), ("b", "Who wrote Hamlet?"), ("c", "=1+1"),
    ]  # fmt: skip
    assert "3 rows imported into mine: 2 new, 1 replacing" in at.success[0].value.replace("\\", "")


WIDE = ",".join(f"column {n}" for n in range(101)).encode() + b"\n" + b"What?," * 100 + b"7\n"


@pytest.mark.parametrize("data", [b"", b"\xff\xfe", b"PK\x03\x04\0\0", b"question\n", WIDE])
def test_a_file_that_cannot_be_read_shows_one_sentence(home, data):
    at = drop(open_tune_page(home), data)
    assert len(at.error) == 1 and at.error[0].value.endswith((".", "\\.")) and "import" not in at.session_state


def column(at, name):
    """The choice of what a column of the dropped file holds."""
    return at.selectbox(key=f"column of the file {name}")


def test_columns_and_labels_of_any_name_are_mapped_and_shown_before_they_are_stored(home, banks):
    at = drop(
        open_tune_page(home), b"prompt,reply,ok,source\nWhat is air?,A gas.,good,a.pdf\nWhat is fire?,A gas.,bad,\n"
    )
    assert len(at.error) == 1 and "No column holds the question" in at.error[0].value
    for name, field in (("prompt", "query"), ("reply", "answer"), ("ok", "expected")):
        column(at, name).set_value(field).run()
    assert not at.error and not [b for b in at.button if b.key == "import rows"]
    for text, meaning in (("good", "supported"), ("bad", "altered")):
        at.selectbox(key=f"meaning of the label {text}").set_value(meaning).run()
    shown = at.dataframe[0].value
    assert shown["Question"].tolist() == ["What is air?", "What is fire?"] and "source" in shown
    assert not banks.names()
    press(at, "Import all 2 rows")
    assert [(r["answer"], r["expected"], r.get("source")) for r in banks.rows("my_bank")] == [
        ("A gas.", "supported", "a.pdf"), ("A gas.", "altered", None),
    ]  # fmt: skip


def test_a_file_without_a_column_for_the_question_is_asked_about_and_can_be_discarded(home, banks):
    at = drop(open_tune_page(home), b"name,label\nWhat?,1\n")
    assert [e.value for e in at.error] == ["No column holds the question; say which one does\\."]
    assert not [b for b in at.button if b.key == "import rows"] and not banks.names()
    press(at, "Discard the file")
    assert not at.error and "import" not in at.session_state


def test_a_row_without_a_question_is_not_imported(home, banks):
    at = drop(open_tune_page(home), b"question,class\n,7\nWhat is air?,7\n")
    report = at.dataframe[1].value
    assert report["Line"].tolist() == [2] and "query must be a text" in report["What is wrong"][0]
    press(at, "Import only the 1 good row")
    assert [r["query"] for r in banks.rows("my_bank")] == ["What is air?"]


def test_lines_that_cannot_be_read_are_shown_with_their_problems(home, banks):
    at = drop(open_tune_page(home), b"{'query': 'What?'}\n[1]\n", "rows.jsonl")
    assert not at.error and not [s for s in at.selectbox if s.key.startswith("column of the file")]
    report = at.dataframe[0].value
    assert report["Line"].tolist() == [1, 2] and "is no row of JSON" in report["What is wrong"][0]
    assert not [b for b in at.button if b.key == "import rows"] and not banks.names()


def test_what_was_chosen_for_a_file_lasts_while_another_tab_or_page_is_open(home, banks):
    at = drop(open_tune_page(home), b"prompt,label\nWhat is air?,good\nWhat is fire?,bad\n")
    column(at, "prompt").set_value("query").run()
    for text, meaning in (("good", "answered"), ("bad", "refused")):
        at.selectbox(key=f"meaning of the label {text}").set_value(meaning).run()
    tab(tab(at, "Run"), "Questions")
    at.switch_page("pages/library.py").run().switch_page(PAGE).run()
    assert not at.exception and column(at, "prompt").value == "query"
    assert [at.selectbox(key=f"meaning of the label {text}").value for text in ("good", "bad")] == [
        "answered", "refused",
    ]  # fmt: skip
    column(at, "label").set_value(LEFT_OUT).run()
    column(at, "label").set_value("expected").run()
    press(at, "Import all 2 rows")
    assert [r["expected"] for r in banks.rows("my_bank")] == ["answered", "refused"]


def test_a_change_of_a_column_keeps_the_labels_that_were_chosen(home, banks):
    at = drop(open_tune_page(home), b"question,reply,label,class\nWhat is air?,A gas.,1,7\nWhat is fire?,A gas.,bad,\n")
    at.selectbox(key="meaning of the label bad").set_value("altered").run()
    assert at.selectbox(key="meaning of the label 1").value == "answered"  # a guess, for a file without answers
    column(at, "reply").set_value("answer").run()
    assert at.selectbox(key="meaning of the label bad").value == "altered"
    assert at.selectbox(key="meaning of the label 1").value == "supported"
    press(at, "Import all 2 rows")
    assert [(r["answer"], r["expected"]) for r in banks.rows("my_bank")] == [
        ("A gas.", "supported"), ("A gas.", "altered"),
    ]  # fmt: skip


def test_a_label_without_a_meaning_is_asked_about_and_may_mean_nothing(home, banks):
    at = drop(open_tune_page(home), b"question,label\nWhat is air?,unsure\nWho wrote Hamlet?,no\n")
    meaning = at.selectbox(key="meaning of the label unsure")
    assert meaning.value is None and at.button(key="import rows").label == "Import only the 1 good row"
    meaning.set_value("").run()
    assert at.selectbox(key="meaning of the label unsure").value == ""
    press(at, "Import all 2 rows")
    assert [r.get("expected") for r in banks.rows("my_bank")] == [None, "refused"]


def test_a_one_says_that_a_question_should_be_answered_where_the_file_has_no_answers(home, banks):
    at = drop(open_tune_page(home), b"question,label\nWhat is air?,1\nWho wrote Hamlet?,0\n")
    press(at, "Import all 2 rows")
    assert [r["expected"] for r in banks.rows("my_bank")] == ["answered", "refused"]


@pytest.mark.parametrize("field", ["answer", "reference"])
def test_the_meaning_of_a_column_answer_is_asked(home, banks, field):
    at = drop(open_tune_page(home), b"question,answer\nWhat is air?,A gas.\n")
    said = "Say what the column answer holds: “Answer to judge” or “Reference: what a right answer says”."
    assert [e.value for e in at.error] == [plain(said)] and not [b for b in at.button if b.key == "import rows"]
    column(at, "answer").set_value(field).run()
    press(at, "Import 1 row")
    assert [(r["query"], r[field]) for r in banks.rows("my_bank")] == [("What is air?", "A gas.")]


def test_hostile_text_is_escaped(home, banks):
    banks.add("mine", [{"id": "a", "query": HOSTILE, "note": HOSTILE}])
    at = open_tune_page(home)
    at.session_state["removed row"] = ["mine", banks.rows("mine")[0]]
    at.run()
    assert not at.exception and any(plain(shorten(HOSTILE, 80)) in text for text in drawn_elements(at))


def test_drafts_from_a_book_are_kept_or_dropped_one_by_one(home, banks):
    at = draft(open_tune_page(home))  # there is no set yet: the first accepted draft creates one
    drafted = []
    while [b for b in at.button if b.key == "keep draft"]:
        drafted.append(next(m.value for m in at.markdown if "Expected: " in m.value))
        if len(drafted) == 1:
            next(field for field in at.text_input if field.label == "Fact that a right answer must contain").set_value(
                "own food"
            )
        press(at, "Keep" if len(drafted) % 2 else "Drop")
    assert drafted[0] == "**What is photosynthesis?** Expected: answer" and len(drafted) == 4
    rows = banks.rows(OWN)
    assert {row["expected"] for row in rows} == {"answered"}
    assert [f"**{row['query']}** Expected: answer" for row in rows] == drafted[::2]
    assert rows[0]["facts"] == ["own food"] and rows[0]["reference"] in TEXT and rows[0]["document"] == "plants.pdf"
    press(at, "Draft")  # questions of the set are not drafted again
    assert next(m.value for m in at.markdown if "Expected: " in m.value) == drafted[1]


def test_a_damaged_bank_shows_one_sentence_and_another_can_be_opened(home, banks):
    banks.add("mine", [{"query": "What?"}])
    (home / "banks" / "damaged.jsonl").write_text("no bank\n", encoding="utf-8")
    at = open_tune_page(home)
    assert len(at.error) == 1 and "line 1 of damaged" in at.error[0].value.replace("\\", "")
    at.selectbox(key="bank").set_value("mine").run()
    assert not at.error and len(at.dataframe[0].value) == 1


def test_sets_that_cannot_be_read_leave_the_page_its_title(home, banks):
    (home / "banks").mkdir(exist_ok=True)
    (home / "banks" / "sets.sqlite").write_bytes(b"no store" * 1000)
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=PATIENCE).run()
    at.switch_page(PAGE).run()
    assert not at.exception and [t.value for t in at.title] == ["Tune"] and len(at.error) == 1


def test_the_open_bank_stays_open(home, banks):
    for name in ("one", "two"):
        banks.add(name, [{"query": f"What is {name}?"}])
    at = open_tune_page(home)
    at.selectbox(key="bank").set_value("two").run()
    at.switch_page("pages/library.py").run()
    at.switch_page(PAGE).run()
    assert at.selectbox(key="bank").value == "two" and at.dataframe[0].value["Question"].tolist() == ["What is two?"]


def test_the_chosen_set_is_the_same_on_every_tab(home, banks):
    for name in ("one", "two"):
        banks.add(name, [{"query": f"What is {name}?"}])
    at = open_tune_page(home)
    assert at.selectbox(key="bank").value == "one"  # own sets come before the sample
    at.selectbox(key="bank").set_value("two").run()
    for name in ("Run", "Bench", "Diagnose", "Questions"):
        assert tab(at, name).selectbox(key="bank").value == "two"
    assert at.dataframe[0].value["Question"].tolist() == ["What is two?"]


def test_a_question_that_was_rated_on_ask_is_saved_with_its_class(home, banks):
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=PATIENCE).run()
    press(at, "More options :material/expand_more:")
    at.text_input(key="question").set_value("What is photosynthesis?")
    at.selectbox(key="class_number").set_value(7)
    press(at, "Ask")
    at.feedback[0].set_value(1).run()
    (row,) = banks.rows(OWN)
    assert (row["query"], row["class_number"], row["expected"], row["kind"]) == (
        "What is photosynthesis?", 7, "refused", "own",
    )  # fmt: skip
    assert any("Saved to My questions" in s.value for s in at.success) and at.feedback[0].value == 1
    at.feedback[0].set_value(0).run()
    assert not at.success and at.feedback[0].value == 0  # nothing is saved yet
    correction(at).set_value("answered").run()
    assert [row["expected"] for row in banks.rows(OWN)] == ["answered"]
    assert at.success and at.feedback[0].value == 0 and correction(at).value == "answered"
    correction(at).set_value("part").run()
    assert [row["expected"] for row in banks.rows(OWN)] == ["part"] and correction(at).value == "part"
    at.feedback[0].set_value(1).run()
    assert [row["expected"] for row in banks.rows(OWN)] == ["refused"] and at.feedback[0].value == 1


def correction(at):
    return next(one for one in at.pills if one.label == "What should it have been?")


def test_a_pasted_answer_that_was_rated_on_ask_is_saved_with_its_question(home, banks):
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=PATIENCE).run()
    press(at, "Check an answer")
    at.text_input(key="question").set_value("What is chlorophyll?")
    at.text_area(key="pasted").set_value("Chlorophyll is a red substance.")
    press(at, "Ask")
    at.feedback[0].set_value(1).run()
    (row,) = banks.rows(OWN)
    assert (row["answer"], row["expected"]) == ("Chlorophyll is a red substance.", "altered")


def test_both_downloads_contain_every_question(home, banks):
    banks.add("mine", [{"id": "a", "query": "=1+1", "expected": "refused"}, {"id": "b", "query": "What?", "own": [1]}])
    at = open_tune_page(home)
    assert {b.proto.label for b in at.get("download_button")} == {"Download as CSV", "Download as JSONL", "Download"}
    from core.banks.files import as_csv

    (first, _) = csv.DictReader(io.StringIO(as_csv(banks.rows("mine")), newline=""))
    assert first["question"] == "'=1+1"
