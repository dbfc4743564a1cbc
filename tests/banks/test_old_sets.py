"""Sets that an earlier version wrote as a file of JSON lines open as they were, and a wrong line is one sentence."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.banks import read_bank
from core.banks.row import SetRows, question_digest
from core.banks.saved import SavedBanks
from core.banks.stored_set import label_digests
from core.case import CaseError
from core.evaluation.outcomes import is_checked, is_due, is_planted
from core.reply.serialization import question_of
from tests.support.plans import OFTEN

FIELDS = st.fixed_dictionaries(
    {"query": st.sampled_from(["What is sound?", "Was ist Schall – und woher kommt er?", "आवाज़ क्या है?", "a\u2028b"])},
    optional={
        "id": st.one_of(st.integers(0, 9), st.text("abc", min_size=1)), "expected": st.sampled_from(["refused", None]),
        "facts": st.lists(st.text("xyz", min_size=1), max_size=2), "answer": st.sampled_from([None, "It is a wave."]),
        "kind": st.sampled_from(["own", "off_topic"]), "class_number": st.sampled_from([7, 9, None]), "pair": st.text("p", max_size=1),
        "document": st.sampled_from(["a.pdf", ["a.pdf"], {}]), "actual_output": st.just("A wave."), "note": st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=9),
    },
)  # fmt: skip


def old_set(home, rows, ending="\n", name="mine"):
    """A home as an earlier version left it; `rows` are dicts or lines."""
    (home / "banks").mkdir(exist_ok=True)
    lines = [row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows]
    path = home / "banks" / f"{name}.jsonl"
    path.write_text("".join(line + ending for line in lines), encoding="utf-8")
    return path


@OFTEN
@given(rows=st.lists(FIELDS, min_size=1, max_size=6, unique_by=lambda r: str(r.get("id", question_digest(question_of(r))))),
       ending=st.sampled_from(["\n", "\r\n", "\n\n"]))  # fmt: skip
def test_an_old_set_opens_as_it_was(tmp_path_factory, rows, ending):
    home = tmp_path_factory.mktemp("home")
    path, banks = old_set(home, rows, ending), SavedBanks(home)
    parsed = read_bank(path)
    assert banks.names() == ("mine",) and banks.rows("mine") == parsed and not path.exists()
    found = banks.rows("mine")
    assert found == parsed and found.questions == [question_digest(question_of(row)) for row in parsed]
    assert read_bank(home / "banks" / "imported" / "mine.jsonl") == parsed


def test_what_was_added_since_stays(tmp_path):
    banks = SavedBanks(tmp_path)
    old_set(tmp_path, [{"id": "a", "query": "What is sound?"}])
    banks.add("mine", [{"id": "b", "query": "What is light?"}])
    old_set(tmp_path, [{"id": "a", "query": "What is heat?"}])
    assert [row["query"] for row in banks.rows("mine")] == ["What is heat?", "What is light?"]


def test_many_that_open_an_old_set_at_once_read_it_once(tmp_path):
    old_set(tmp_path, [{"query": f"What is {n}?"} for n in range(50)])
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: SavedBanks(tmp_path).rows("mine"), range(8)))
    assert all(len(rows) == 50 for rows in found)


DEEP, DEEPER = ("[" * n + "]" * n for n in (900, 100_000))


@pytest.mark.parametrize("line", [
    "{", "[]", "null", DEEP, DEEPER, '{"query": "a"} {"query": "b"}',
    *(f'{{"query": "a", "id": {value}}}' for value in ("[]", "[[]]", "{}", '{"a": []}', "1.5", "true", DEEP)),
    *(f'{{"query": "a", "{field}": "\\ud800"}}' for field in ("id", "note", "subject", "kind", "document")),
    '{"query": "\\ud800"}', '{"query": "a", "note": "\\u0000"}', '{"query": ""}',
    '{"query": "a", "class_number": 1e999}', f'{{"query": "a", "class_number": {"1" * 5000}}}',
])  # fmt: skip
def test_a_hostile_line_is_one_sentence_and_the_file_stays(tmp_path, line):
    banks, path = SavedBanks(tmp_path), old_set(tmp_path, ['{"query": "fine"}', line])
    for touch in (banks.rows, lambda name: banks.add(name, [{"query": "What is light?"}])):
        with pytest.raises(CaseError, match=r"^(line|row) 2 of mine.jsonl cannot be read: ") as error:
            touch("mine")
        assert "\n" not in str(error.value) and len(str(error.value)) < 500
    assert path.exists() and banks.names() == ("mine",)


def test_a_huge_line_is_a_row_like_others(tmp_path):
    old_set(tmp_path, [{"query": "What is light?", "note": "x" * 10_000_000}])
    SavedBanks(tmp_path).add("mine", [{"query": "What is heat?"}])
    assert [row["query"] for row in SavedBanks(tmp_path).rows("mine")] == ["What is light?", "What is heat?"]


@OFTEN
@given(rows=st.lists(FIELDS, min_size=1, max_size=6))
def test_labels_of_many_rows_are_those_of_each(rows):
    found = SetRows.of(rows)
    assert found.questions == [question_digest(question_of(row)) for row in rows]
    for function in (is_due, is_checked, is_planted):
        assert found.mask(function).tolist() == [bool(function(row)) for row in rows]
    chosen = list(range(len(rows)))[::-2]
    some = [rows[n] for n in chosen]
    assert found.some(chosen) == SetRows(rows).some(chosen) == some
    assert found.some(chosen).questions == SetRows.of(some).questions
    assert label_digests(found)[chosen].tolist() == label_digests(some).tolist()
