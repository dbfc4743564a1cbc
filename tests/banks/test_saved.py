"""Banks that people keep: rows go in whole or not at all, whoever writes at the same time."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from core.banks.saved import OWN, SavedBanks, label
from core.case import CaseError


@pytest.fixture
def banks(tmp_path):
    return SavedBanks(tmp_path)


def row(id_, query="What is sound?", **about):
    return {"id": id_, "query": query, **about}


def test_a_bank_is_made_added_to_edited_and_deleted(banks):
    assert banks.names() == ()
    assert banks.add("mine", []) == 0 and banks.names() == ("mine",) and banks.rows("mine") == []
    assert banks.add("mine", [row("a"), row("b", expected="refused")]) == 2
    assert banks.add("mine", [row("b", expected="answered"), row("c", facts=["x"], anything=[1, {"of": "mine"}])]) == 1
    assert [r["id"] for r in banks.rows("mine")] == ["a", "b", "c"]
    assert banks.rows("mine")[1]["expected"] == "answered"
    banks.remove("mine", ["a", "not there"])
    assert [r["id"] for r in banks.rows("mine")] == ["b", "c"]
    banks.replace("mine", [row("z")])
    assert banks.rows("mine") == [row("z")]
    banks.delete("mine")
    assert banks.names() == ()
    with pytest.raises(CaseError, match="There is no question set called mine; there are none yet"):
        banks.rows("mine")


def test_a_row_without_an_id_is_named_after_its_question(banks):
    assert banks.add("mine", [{"query": "What?"}, {"query": "What?", "class_number": 7}]) == 2
    assert banks.add("mine", [{"query": "What?", "expected": "refused"}]) == 0
    assert [r.get("expected") for r in banks.rows("mine")] == ["refused", None]


@pytest.mark.parametrize("name", ["", "../evil", "a/b", "a.b", "x" * 61, "frage ü", "a\0", "NUL\n"])
def test_a_name_that_could_lead_elsewhere_is_refused(banks, tmp_path, name):
    for act in (lambda: banks.add(name, []), lambda: banks.rows(name), lambda: banks.delete(name)):
        with pytest.raises(CaseError, match="The name of a question set may have up to 60 letters"):
            act()
    assert not (tmp_path / "banks").exists()


@pytest.mark.parametrize("bad", [{"query": ""}, {"query": "What?", "expected": "perhaps"}, {"id": "x"}, "no row"])
def test_one_bad_row_leaves_the_bank_as_it_was(banks, bad):
    banks.add("mine", [row("a")])
    for act in (banks.add, banks.replace):
        with pytest.raises(CaseError):
            act("mine", [row("b"), bad])
    assert banks.rows("mine") == [row("a")]


def test_a_bank_has_an_end(banks, tmp_path, monkeypatch):
    monkeypatch.setattr("core.banks.saved.MOST_ROWS", 1_000)
    lines = (json.dumps({"id": str(n), "query": f"What is {n}?"}) for n in range(1_000))
    (tmp_path / "banks").mkdir()
    (tmp_path / "banks" / "mine.jsonl").write_text("\n".join(lines))
    with pytest.raises(CaseError, match="would hold 1,001 rows, at most 1,000"):
        banks.add("mine", [{"query": "And this?"}])
    assert banks.add("mine", [row("7", "And this in the place of another?")]) == 0
    rows = banks.rows("mine")
    assert len(rows) == 1_000 and rows[7] == row("7", "And this in the place of another?")


def test_many_at_once_lose_none(banks):
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: banks.add("mine", [row(f"r{n}")]), range(24)))
    assert sorted(r["id"] for r in banks.rows("mine")) == sorted(f"r{n}" for n in range(24))


def test_labelled_questions_are_a_bank_like_the_others(banks, tmp_path):
    label(tmp_path, {"query": "What?"}, "refused")
    assert banks.names() == (OWN,) and banks.rows(OWN)[0]["expected"] == "refused"


def test_a_folder_in_the_way_is_one_sentence(banks, tmp_path):
    (tmp_path / "banks").write_text("in the way")
    with pytest.raises(
        CaseError, match=r"sets\.sqlite cannot be opened or written .*; see that the run-time folder can be written to"
    ):
        banks.add("mine", [row("a")])
