"""The report: every text of others escaped, nothing loaded from elsewhere, and the counts that were counted."""

from html.parser import HTMLParser
from types import SimpleNamespace

from core.evaluation.outcomes import counts, outcome, unreadable
from core.reports.counts import in_words, page

EVIL = "<script>alert(1)</script><img src=x onerror='x'>\"&"


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.text = [], ""

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.text += data


def measured(missing=()):
    rows = [
        ({"id": EVIL, "query": EVIL, "kind": EVIL, "expected": "refused", "alteration": EVIL}, "refuse", EVIL),
        ({"query": "Q?", "kind": "pair", "expected": "supported", "answer": EVIL}, "deliver", EVIL),
    ]  # fmt: skip
    some = [
        outcome(row, SimpleNamespace(route=route, answer=answer, primary_reason="off_topic", confidence=1.0))
        for row, route, answer in rows
    ]
    some.append(unreadable({"query": "Q?", "kind": "attack"}, ValueError(EVIL)))
    about = {
        "bank": EVIL,
        "preset": EVIL,
        "profile": "bundled",
        "date": "2026-01-02",
        "missing_documents": list(missing),
    }
    return about | counts(some), some


def test_all_text_of_others_is_escaped():
    tags = Tags()
    tags.feed(page(*measured([EVIL])))
    assert {tag for tag, _ in tags.tags} == {
        "br", "small", "html", "head", "meta", "title", "style", "body", "h1", "h2", "p", "table", "thead", "tbody", "tr", "th", "td",
    }  # fmt: skip
    assert tags.text.count("onerror") >= 8


def test_it_needs_nothing_else_and_prints():
    text = page(*measured())
    assert "http:" not in text and "https:" not in text and "url(" not in text and "@import" not in text
    assert "default-src 'none'" in text and "@media print" in text


def test_it_tells_the_counts_and_every_row():
    tags = Tags()
    tags.feed(page(*measured()))
    assert "1 (100 %, 21-100)" in tags.text
    assert sum(tag == "tr" for tag, _ in tags.tags) == 4 + 2 + 4


def test_the_terminal_gets_plain_sentences():
    said = in_words(measured()[0])
    assert "pair, supported: n 1; given out whole 1 (100 %, 21-100)" in said
    assert "attack, not labelled: n 1; not taken as a question 1 (100 %, 21-100)" in said
    assert "lacks" not in said and "lacks a.pdf" in in_words(measured(["a.pdf"])[0])
