"""Rows that are parsed when they are used are those of the file, whatever was indexed before."""

import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.banks import read_bank, row_index
from core.banks.measured_bank import question_names
from core.banks.row_index import delete_index, file_rows
from core.banks.rows import with_id
from core.banks.saved import SavedBanks
from core.case import CaseError
from core.evaluation.stored_rows import LabelRow, label_digests, labels_in, selected
from tests.support.plans import OFTEN

QUERIES = ["What is sound?", "Was ist Schall – und woher kommt er?", "आवाज़ क्या है?", "a\u2028b"]
FIELDS = st.fixed_dictionaries(
    {"query": st.sampled_from(QUERIES)},
    optional={
        "id": st.one_of(st.integers(0, 9), st.text("abc", min_size=1)), "expected": st.sampled_from(["refused", None]),
        "facts": st.lists(st.text("xyz", min_size=1), max_size=2), "answer": st.sampled_from([None, "It is a wave."]),
        "kind": st.sampled_from(["own", "off_topic"]), "class_number": st.sampled_from([7, 9, None]),
        "pair": st.text("p", max_size=1), "actual_output": st.just("A wave."), "note": st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=9),
    },
)  # fmt: skip


def write(path, rows, ending="\n"):
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + ending for row in rows), encoding="utf-8")


def same(path):
    """The rows of the file at `path` are those of the whole file parsed, and so are their labels and digests."""
    rows, parsed = file_rows(path), [with_id(row) for row in read_bank(path)]
    assert rows == parsed and len(rows) == len(parsed) and rows[1:3] == parsed[1:3]
    assert list(rows.ids) == [row["id"] for row in parsed] and question_names(rows) == question_names(parsed)
    assert label_digests(rows).tolist() == label_digests(parsed).tolist()
    assert labels_in(rows).of_each(dict, object).tolist() == [dict(LabelRow.of(row)) for row in parsed]
    return rows


@OFTEN
@given(before=st.lists(FIELDS, max_size=6), after=st.lists(FIELDS, min_size=1, max_size=6), ending=st.sampled_from(["\n", "\r\n", "\n\n"]))  # fmt: skip
def test_rows_are_those_of_the_file_before_and_after_an_edit(tmp_path_factory, before, after, ending):
    path = tmp_path_factory.mktemp("rows") / "mine.jsonl"
    write(path, before)
    same(path)
    write(path, [*before[1:], *after], ending)
    rows = same(path)
    chosen = list(range(len(rows)))[::-2]
    assert selected(rows, chosen) == selected(list(rows), chosen)
    assert selected(rows, chosen).questions == [rows.questions[n] for n in chosen]


def test_a_line_is_parsed_for_the_index_once(tmp_path, monkeypatch):
    indexed, entry = [], row_index._entry
    monkeypatch.setattr(row_index, "_entry", lambda line, row: indexed.append(row["id"]) or entry(line, row))
    path, rows = tmp_path / "mine.jsonl", [{"id": str(n), "query": f"What is {n}?"} for n in range(5)]
    write(path, rows)
    same(path)
    same(path)
    assert indexed == ["0", "1", "2", "3", "4"]
    write(path, [rows[3], rows[4] | {"facts": ["four"]}, rows[0]])
    assert same(path)[1]["facts"] == ["four"] and indexed[5:] == ["4"]


def test_a_text_of_the_same_size_and_time_is_noticed(tmp_path):
    path = tmp_path / "mine.jsonl"
    write(path, [{"query": "What is sound?"}])
    first, times = same(path), (path.stat().st_atime_ns, path.stat().st_mtime_ns)
    write(path, [{"query": "What is light?"}])
    os.utime(path, ns=times)
    assert same(path)[0]["query"] == "What is light?" and first[0]["query"] == "What is sound?"


@pytest.mark.parametrize("data", [b"", b"no arrays", b"[" * 10_000])
def test_a_file_that_is_no_index_is_made_again(tmp_path, data):
    path = tmp_path / "mine.jsonl"
    write(path, [{"query": "What is sound?", "expected": "refused"}])
    same(path)
    (index,) = (tmp_path / "indexed").glob("*.arrays")
    index.write_bytes(data)
    same(path)
    delete_index(path)
    assert not index.exists() and same(path)


@OFTEN
@given(rows=st.lists(FIELDS, min_size=1, max_size=4), data=st.data())
def test_an_index_that_is_cut_off_or_holds_other_bytes_is_made_again(tmp_path_factory, rows, data):
    """Other offsets, which may lie outside the file, other ids and other labels, too."""
    path = tmp_path_factory.mktemp("rows") / "mine.jsonl"
    write(path, rows)
    same(path)
    (index,) = (path.parent / "indexed").glob("*.arrays")
    whole = bytearray(index.read_bytes())
    for _ in range(data.draw(st.integers(1, 5))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    index.write_bytes(whole[: data.draw(st.one_of(st.none(), st.integers(0, len(whole))))])
    same(path)


def test_the_index_of_another_bank_is_made_again(tmp_path):
    path, other = tmp_path / "mine.jsonl", tmp_path / "other.jsonl"
    write(path, [{"query": "What is sound?"}])
    write(other, [{"query": "What is light?"}, {"query": "What is heat?"}])
    same(path)
    same(other)
    (tmp_path / "indexed" / "other.arrays").replace(tmp_path / "indexed" / "mine.arrays")
    same(path)


def test_an_index_of_another_program_is_made_again(tmp_path, monkeypatch):
    path = tmp_path / "mine.jsonl"
    write(path, [{"query": "What is sound?"}])
    with monkeypatch.context() as earlier:
        earlier.setattr(row_index, "program_digest", lambda: "an earlier program")
        earlier.setattr(row_index, "question_digest", lambda _: "0" * 64)
        assert file_rows(path).questions == ["0" * 64]
    same(path)


def test_a_disk_without_room_costs_the_index_and_not_the_rows(tmp_path, monkeypatch):
    def full(*_):
        raise OSError("No space left on device")

    monkeypatch.setattr(row_index, "write_arrays", full)
    path = tmp_path / "mine.jsonl"
    write(path, [{"query": "What is sound?"}])
    same(path)


def test_a_wrong_line_is_named_also_after_good_lines_were_indexed(tmp_path):
    path, rows = tmp_path / "mine.jsonl", [{"query": "What is sound?"}, {"query": "What is light?"}]
    write(path, rows)
    same(path)
    write(path, [*rows, {"query": ""}])
    with pytest.raises(CaseError, match=r"line 3 of mine.jsonl cannot be read: query must be a text"):
        file_rows(path)
    path.write_bytes(b"\n\xff{}\n")
    with pytest.raises(CaseError, match="Line 2 of the file holds the byte 0xff"):
        file_rows(path)


DEEP, DEEPER = ("[" * n + "]" * n for n in (900, 100_000))


@pytest.mark.parametrize("line", [
    "{", "[]", "null", "\ufeff{}", DEEP, DEEPER, '{"query": "a"} {"query": "b"}',
    *(f'{{"query": "a", "id": {value}}}' for value in ("[]", "[[]]", "{}", '{"a": []}', "1.5", "true", DEEP)),
    *(f'{{"query": "a", "{field}": "\\ud800"}}' for field in ("id", "note", "subject", "kind", "document")),
    '{"query": "\\ud800"}', '{"query": "a", "note": "\\u0000"}',
    '{"query": "a", "class_number": 1e999}', f'{{"query": "a", "class_number": {"1" * 5000}}}',
])  # fmt: skip
def test_a_hostile_line_is_one_sentence(tmp_path, line):
    banks = SavedBanks(tmp_path)
    banks.add("mine", [{"query": "What is sound?"}])
    banks.path("mine").write_text(f"{line}\n", encoding="utf-8")
    for touch in (banks.rows, lambda name: banks.add(name, [{"query": "What is light?"}])):
        with pytest.raises(CaseError, match=r"^line 1 of mine.jsonl cannot be read: ") as error:
            touch("mine")
        assert "\n" not in str(error.value) and len(str(error.value)) < 500


def test_a_huge_line_is_a_row_like_others(tmp_path):
    banks = SavedBanks(tmp_path)
    banks.add("mine", [{"query": "What is sound?"}])
    write(banks.path("mine"), [{"query": "What is light?", "note": "x" * 10_000_000}])
    banks.add("mine", [{"query": "What is heat?"}])
    assert [row["query"] for row in banks.rows("mine")] == ["What is light?", "What is heat?"]


def test_labels_hold_no_other_field():
    labels = LabelRow.of({"query": "What?", "expected": "refused", "facts": []})
    assert labels.get("expected") == "refused" and labels.get("kind", "other") == "other" and labels["facts"] is False
    with pytest.raises(KeyError, match="note"):
        labels.get("note")
