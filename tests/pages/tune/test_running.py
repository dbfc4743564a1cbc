"""The tab Run while a set is measured in the background, and its texts on measurements."""

from core.banks.measured_bank import MeasuredBank
from core.banks.saved import SAMPLE
from core.evaluation.conditions import conditions_of
from core.platform.jobs import PEOPLE
from tests.support.app_pages import drawn_elements, press
from tests.support.measured_cases import cases_of
from tests.support.pdfs import make_pdf
from tests.support.tune_page import measure_set, open_tune_page, tab


def test_a_bank_is_measured_with_progress_and_only_once(home, banks, explorer):
    banks.add(
        "mine", [{"id": "a", "query": "What is photosynthesis?", "expected": "answered"}, {"id": "b", "query": "hi"}]
    )
    at = open_tune_page(home, "Run")
    assert "**0 of 2 questions** measured" in " ".join(drawn_elements(at))
    press(at, "Run set")
    measure_set(at, home, "mine")
    assert "All 2 questions are measured" in " ".join(drawn_elements(at)) and not [
        b for b in at.button if b.key == "measure"
    ]
    assert tab(at, "Questions").dataframe[0].value["Measured"].tolist() == ["✓ measured"] * 2
    assert len(list(cases_of(MeasuredBank(home, banks.rows("mine"), conditions_of(explorer))))) == 2


def test_a_running_measurement_shows_progress_and_can_be_stopped(home, banks):
    banks.add("mine", [{"query": "What is photosynthesis?"}, {"query": "hi"}])
    at = open_tune_page(home, "Run")
    with PEOPLE.asking():
        press(at, "Run set")
        at.run()
        assert any("Questions on Ask and moves of a slider come first" in text for text in drawn_elements(at))
        assert not any("other models or settings" in text for text in drawn_elements(at))
        at.session_state["passages_fetched"] = 3
        at.run()
        assert any("other models or settings" in text for text in drawn_elements(at))
        press(at, "Stop")
        measure_set(at, home, "mine")
    assert "**0 of 2 questions** measured" in " ".join(drawn_elements(at)) and at.button(key="measure")


def test_a_change_since_the_measurement_is_stated(home, banks, explorer):
    banks.add("mine", [{"query": "What is photosynthesis?"}])
    at = press(open_tune_page(home, "Run"), "Run set")
    measure_set(at, home, "mine")
    explorer.library.ingest(make_pdf("An echo is a sound that comes back."), "sound.pdf")
    at.run()
    assert len(at.warning) == 1 and "before the library changed" in at.warning[0].value
    press(at, "Run set")
    measure_set(at, home, "mine")
    assert not at.warning and "measured" in tab(at, "Questions").dataframe[0].value["Measured"][0]


def test_a_row_that_cannot_be_measured_states_the_reason(home, banks, models, monkeypatch):
    def broken(self, question, texts):
        raise RuntimeError("out of memory")

    monkeypatch.setattr(type(models.reader), "read", broken)
    banks.add("mine", [{"query": "What is photosynthesis?"}])
    at = press(open_tune_page(home, "Run"), "Run set")
    measure_set(at, home, "mine")
    assert "1 question could not be" in " ".join(drawn_elements(at)) and at.button(key="measure")
    assert tab(at, "Questions").dataframe[0].value["Measured"][0].startswith("✗ RuntimeError: out of memory")


def test_damaged_measurements_show_one_sentence_and_the_questions_stay(home, banks):
    banks.add("mine", [{"query": "What is photosynthesis?"}])
    (home / "banks" / "measured.sqlite").write_bytes(b"no database at all, and long enough to be looked at" * 100)
    at = open_tune_page(home)
    assert (
        len(at.error) == 1
        and "broken or no file of measurements" in at.error[0].value
        and len(at.dataframe[0].value) == 1
    )


def test_a_damaged_file_of_sets_shows_one_sentence(home, banks):
    banks.add("mine", [{"query": "What is photosynthesis?"}])
    banks.path.write_bytes(b"no database at all, and long enough to be looked at" * 100)
    at = open_tune_page(home, name="mine")
    assert len(at.error) == 1 and "restore the question sets from a backup" in at.error[0].value


def test_a_bank_is_deleted_after_confirmation_with_its_measurements(home, banks, explorer):
    banks.add("mine", [{"query": "What is photosynthesis?"}, {"query": "hi"}])
    banks.add("other", [{"query": "hi"}])
    at = open_tune_page(home, "Run")
    press(at, "Run set")
    measure_set(at, home, "mine")
    rows = banks.rows("mine")
    tab(at, "Questions")
    assert banks.names() == ("mine", "other") and any("Delete mine with its 2" in m.value for m in at.markdown)
    press(at, "Yes, delete it")
    assert banks.names() == ("other",) and at.selectbox(key="bank").value == SAMPLE
    left = MeasuredBank(home, rows, conditions_of(explorer)).states()
    assert left == ["", "measured"]  # traces of questions in another bank are kept
