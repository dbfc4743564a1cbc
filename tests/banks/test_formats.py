"""Files as other programs write them: every shape of a table, what is no text, and labels in other words."""

import io
import json
import zipfile

import pandas as pd
import pytest

from core.banks.files import sound
from core.banks.formats import own_lines, raw_rows
from core.case import CaseError
from tests.support.set_files import read_lines

ROWS = [
    {"question": "What is sound?", "contexts": ["Sound is a wave."], "answer": "A wave."},
    {"question": "What is light?", "contexts": ["Light needs no medium."], "answer": "It needs none."},
]
OURS = [{"query": row["question"], "contexts": row["contexts"], "answer": row["answer"]} for row in ROWS]
FRAME = pd.DataFrame(ROWS)


def judged(data, name):
    """The rows of a file as `judge` reads them."""
    lines = list(own_lines(raw_rows(io.BytesIO(data), name)))
    assert not [line.problem for line in lines if line.problem]
    return [line.row for line in lines]


@pytest.mark.parametrize("orient", ["records", "columns", "split", "table", "list"])
def test_every_shape_in_which_pandas_writes_a_table_as_json_is_read(orient):
    text = json.dumps(FRAME.to_dict("list")) if orient == "list" else FRAME.to_json(orient=orient)
    assert [{k: v for k, v in row.items() if k != "index"} for row in judged(text.encode(), "rows.json")] == OURS


@pytest.mark.parametrize("text", [json.dumps(ROWS), json.dumps(ROWS, indent=2), json.dumps({"data": ROWS}), "".join(json.dumps(r) + "\n" for r in ROWS)])  # fmt: skip
def test_rows_in_a_list_or_one_a_line_are_the_same(text):
    assert judged(text.encode(), "rows.json") == OURS


def test_one_object_is_one_row_however_it_is_printed():
    assert judged(json.dumps(ROWS[0], indent=2).encode(), "row.json") == OURS[:1]


def test_a_table_with_only_its_first_line_needs_a_column_for_the_question():
    assert judged(b"question,expected\n", "rows.csv") == []
    with pytest.raises(CaseError, match=r"no column question \(or query\), its first line says 'id, expected'"):
        judged(b"id,expected\n", "rows.csv")


@pytest.mark.parametrize("broken", [{"answer": ["A wave."]}, {"answer": "A wave."}, {"answer": []}])
def test_columns_of_unequal_length_are_one_sentence(broken):
    with pytest.raises(CaseError, match=r"columns of different lengths: .*; give each column one value for each row"):
        judged(json.dumps(FRAME.to_dict("list") | broken).encode(), "rows.json")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
@pytest.mark.parametrize("name", ["rows.txt", "rows.csv", "rows.tsv", "rows.jsonl", "rows.json", "rows"])
def test_what_is_not_in_utf_8_is_one_sentence_whatever_its_name(name, encoding):
    text = json.dumps(ROWS[0]) if "json" in name else "question\tanswer\nWhat is sound?\tA wave.\n"
    with pytest.raises(CaseError, match=r"UTF-16, or is no text; save it in UTF-8"):
        judged(text.encode(encoding), name)


@pytest.mark.parametrize("name", ["rows.tsv", "rows.txt", "rows.csv", "rows"])
def test_tabs_separate_columns_whatever_the_name(name):
    assert judged(b"question\tanswer\nWhat is sound?\tA wave, of air.\n", name) == [
        {"query": "What is sound?", "answer": "A wave, of air."}
    ]


@pytest.mark.parametrize(
    ("value", "label"),
    [(1, "supported"), (0, "altered"), (True, "supported"), (False, "altered"), (1.0, "supported"), ("1", "supported"), ("No", "altered"),
     ("yes", "supported"), ("TRUE", "supported"), ("wrong", "altered"), ("correct", "supported"), ("supported", "supported"), ("Altered", "altered")],
)  # fmt: skip
@pytest.mark.parametrize("column", ["label", "correct", "expected", "should be"])
def test_right_and_wrong_have_many_names(column, value, label):
    row = ROWS[0] | {column: value}
    table = pd.DataFrame([row | {"answer to judge": row["answer"]}]).drop(columns=["answer", "contexts"])
    for data, name in [
        (json.dumps(row).encode(), "rows.jsonl"),
        (table.to_csv(index=False).encode(), "rows.csv"),
        (json.dumps([row | {"query": row["question"]}]).encode(), "rows.json"),
    ]:
        (found,) = sound(read_lines(data, name))
        assert found["expected"] == label and found["answer"] == "A wave."


def test_a_label_without_an_answer_or_of_no_known_word_is_one_sentence():
    (line,) = read_lines(b'{"question": "What?", "label": 1}', "rows.jsonl")
    assert "needs the answer that is to be judged" in line.problem
    (line,) = read_lines(b"question,label\nWhat?,perhaps\n", "rows.csv")
    assert "expected must be one of answered, part" in line.problem


def sheet(*rows, more=()):
    """An Excel file with these rows, and with a second sheet of the rows `more`, made by hand."""
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"

    def cells(rows):
        def cell(value):
            is_text = isinstance(value, str)
            return f'<c t="inlineStr"><is><t>{value}</t></is></c>' if is_text else f"<c><v>{value}</v></c>"

        lines = [f"<row>{''.join(map(cell, row))}</row>" for row in rows]
        return f'<worksheet xmlns="{space}"><sheetData>{"".join(lines)}</sheetData></worksheet>'

    names = "".join(f'<sheet name="s{n}" sheetId="{n}" xmlns:r="{kind}" r:id="r{n}"/>' for n in (1, 2))
    links = "".join(f'<Relationship Id="r{n}" Type="{kind}/worksheet" Target="s{n}.xml"/>' for n in (1, 2))
    types = "".join(
        f'<Override PartName="/xl/{p}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.{k}+xml"/>'
        for p, k in [("workbook", "sheet.main"), ("s1", "worksheet"), ("s2", "worksheet")]
    )
    package = "http://schemas.openxmlformats.org/package/2006"
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>{types}</Types>',
        "_rels/.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="r0" Type="{kind}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{space}"><sheets>{names}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}/relationships">{links}</Relationships>',
        "xl/s1.xml": cells(rows), "xl/s2.xml": cells(more),
    }  # fmt: skip
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return out.getvalue()


def test_a_sheet_is_read_as_texts():
    pytest.importorskip("python_calamine")
    data = sheet(["Question", "Class", "answer to judge", "label", "code"], ["What?", 7, "Air.", 1, "007"], ["Who?"])
    assert sound(read_lines(data, "rows.xlsx")) == sound(
        read_lines(b"question,class,answer to judge,label,code\nWhat?,7,Air.,1,007\nWho?,,,,\n", "rows.csv")
    )


def test_a_sheet_that_cannot_be_read_is_one_sentence():
    pytest.importorskip("python_calamine")
    bomb = sheet(["Question"], ["What?"], *[["x" * 30_000]] * 4_000)
    two = sheet(["Question"], ["What?"], more=[["Question"], ["Who?"]])
    for data, sentence in [(bomb, "far larger than its file"), (two, "2 sheets with cells"), (two[:300], "no sheet that can be read"), (sheet(), "0 sheets with cells")]:  # fmt: skip
        with pytest.raises(CaseError, match=sentence):
            judged(data, "rows.xlsx")
