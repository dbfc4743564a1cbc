"""The report of one question: everything it rests on, all text of others escaped, nothing loaded from elsewhere."""

import base64
import re
from dataclasses import replace
from io import BytesIO

import pytest
from hypothesis import HealthCheck, given, settings
from PIL import Image

from core.case import Question, Scope
from core.checks import all_checks, all_thresholds
from core.decide import verdict
from core.graph import Explorer
from core.library import Library
from core.presets import preset, with_settings
from core.reports import file_name
from core.reports.page_pictures import MOST_PAGES, WIDTH, PagePicture, page_pictures, used_passages
from core.reports.question_report import band, page
from core.reports.templating import TEMPLATES
from core.thresholds import Preset
from tests.support.html_tags import Tags
from tests.support.pdfs import make_pdf
from tests.support.plans import MOVED
from tests.support.plants import PLANTS
from tests.support.traces import trace_of

EVIL = "<script>alert(1)</script><img src=x onerror='x'>\"&"
SEED_C = preset("seed_c")
EASY = with_settings(SEED_C, ["retrieval_score.min_retrieval_score=0", "score_gap.min_score_gap=0"])


@pytest.fixture
def explorer(models, tmp_path):
    library = Library(tmp_path / "home", models.embedder, words=30)
    library.ingest(
        make_pdf(PLANTS, "Roots take in water from the soil."), "plants.pdf", class_number=7, subject="Science"
    )
    yield Explorer(library, models)
    library.close()


def report_of(trace, current=EASY, base=SEED_C, pictures=()):
    about = {"trace": trace, "verdict": verdict(trace, current), "preset": current, "base": base}
    return page(**about, date="2026-01-02 10:00", pictures=pictures)


def asked(explorer, query="What is photosynthesis?", current=EASY, **about):
    trace, _ = explorer.ask(Question(query=query, **about), current)
    return explorer.complete(trace, current)


def test_it_holds_the_question_the_answer_and_every_check(explorer):
    trace = asked(explorer, scope=Scope(class_number=7, subject="Science"))
    tags = Tags(report_of(trace))
    found = verdict(trace, EASY)
    assert found.route == "deliver" and "ANSWERED" in tags.text and found.answer in tags.text
    assert "What is photosynthesis?" in tags.text and "searched: class 7, Science" in tags.text
    for check in all_checks():
        assert check.plain in tags.text and check.name in tags.text
    assert "✓ passed" in tags.text
    for name in trace.models.values():
        assert name in tags.text
    assert "the library's own sentences" in tags.text and "2026-01-02 10:00" in tags.text


def test_a_refusal_says_its_reason_and_shows_what_was_judged(explorer):
    trace = asked(explorer, answer="Photosynthesis is not a process by which green plants make food.", current=SEED_C)
    found = verdict(trace, SEED_C)
    text = Tags(report_of(trace, SEED_C)).text
    assert found.route == "refuse" and "REFUSED" in text and found.explanation in text
    assert "The answer that was judged" in text and "is not a process" in text and "✗ failed" in text
    assert "the evidence contradicts the sentence" in text and "a pasted answer" in text


def test_each_sentence_stands_with_its_label_and_the_words_it_was_read_against(explorer):
    trace = asked(explorer)
    found = verdict(trace, EASY)
    text = Tags(report_of(trace)).text
    for n, sentence in enumerate(found.sentences, 1):
        assert f"Sentence {n}" in text and sentence.text in text
        assert f"entailment {sentence.entailment:.2f}" in text
        place = sentence.citations[0]
        assert f"[{place}] Plants, page 1 supports the sentence" in text


def test_numbers_stand_beside_their_limits_as_the_cards_draw_them(make_case, models):
    trace = trace_of(models, make_case(scores=(0.5996,) * 3))
    tight = preset("seed_a")
    text = Tags(report_of(trace, tight, tight)).text
    assert "0.5996needs 0.6000probability−0.0004" in text


def test_the_pages_are_in_it_with_their_marks_and_of_a_sane_size(explorer):
    trace = asked(explorer)
    pictures = page_pictures(verdict(trace, EASY), explorer.library)
    assert 1 <= len(pictures) <= MOST_PAGES and all(p.png for p in pictures)
    assert "Marked: the text that decided about sentence 1" in pictures[0].caption
    tags = Tags(report_of(trace, pictures=pictures))
    images = tags.named("img")
    assert [i["alt"] for i in images] == [p.caption for p in pictures]
    for image, picture in zip(images, pictures, strict=True):
        kind, _, data = image["src"].partition(",")
        assert kind == "data:image/png;base64" and base64.b64decode(data) == picture.png
    bare = explorer.library.picture(trace.rounds[0].case.passages[0].id.partition(":")[0], 1, (), width=WIDTH)
    assert pictures[0].png != bare and len(pictures[0].png) < 600_000
    with Image.open(BytesIO(pictures[0].png)) as drawn:
        assert drawn.width == WIDTH


def test_a_page_of_a_document_that_was_removed_is_one_sentence(explorer):
    trace = asked(explorer)
    explorer.library.remove(explorer.library.documents()[0].id)
    pictures = page_pictures(verdict(trace, EASY), explorer.library)
    tags = Tags(report_of(trace, pictures=pictures))
    assert not tags.named("img") and pictures[0].why in tags.text and "was removed" in pictures[0].why


def test_only_passages_that_were_cited_or_decided_are_told_in_full(explorer):
    trace = asked(explorer)
    found = verdict(trace, EASY)
    tags = Tags(report_of(trace))
    assert len([a for a in tags.named("div") if a.get("class") == "passage"]) == len(used_passages(found))
    assert len(used_passages(found)) <= len(found.round.case.evidence)


def test_each_part_of_a_question_has_its_own_evidence(explorer):
    trace = asked(explorer, "What is photosynthesis? Who wrote Hamlet?")
    found = verdict(trace, EASY)
    assert len(found.parts) == 2
    text = Tags(report_of(trace)).text
    assert "Part 1: What is photosynthesis?" in text and "Part 2: Who wrote Hamlet?" in text
    assert text.count("Sentences and their evidence") == 2


def test_what_was_moved_is_told_and_every_limit_is_in_the_appendix(explorer):
    trace = asked(explorer)
    text = Tags(report_of(trace)).text
    assert "C: Abstention detection, with 2 changes" in text and "looser" in text
    moved, _, appendix = text.partition("Appendix: all limits")
    assert "retrieval_score.min_retrieval_score" in moved and "clarity.min_clarity" not in moved
    assert all(key in appendix for key in all_thresholds())
    assert "fact_check: Monitor" in appendix
    assert "No limit was moved." in Tags(report_of(trace, EASY, EASY)).text


def test_all_text_of_others_is_escaped(make_case, models):
    case = make_case(EVIL + " A list of numbers [1].")
    spoiled = tuple(
        replace(e, kept=(0,), passage=replace(
            e.passage, document=EVIL, subject=EVIL, chapter=EVIL, section=EVIL, sentences=(EVIL,)
        ))
        for e in case.evidence
    )  # fmt: skip
    question = replace(case.question, query=EVIL, scope=Scope(subject=EVIL, documents=(EVIL,)))
    trace = trace_of(models, replace(case, question=question, query=EVIL, evidence=spoiled))
    trace = replace(trace, models={EVIL: EVIL}, messages={"refuse": EVIL}, suggestions=(EVIL,), meanings=(EVIL,))
    base = replace(preset("as_printed"), name=EVIL, help=EVIL)
    pictures = (
        PagePicture(document=EVIL, page=1, png=b"x", marks=[(1, 0.0, 0.0, 1.0, 1.0)]),
        PagePicture(document=EVIL, page=2, why=EVIL),
    )
    tags = Tags(report_of(trace, preset("as_printed"), base, pictures))
    assert {tag for tag, _ in tags.tags} <= {
        "b", "blockquote", "body", "br", "div", "figcaption", "figure", "h1", "h2", "h3", "head", "html", "img", "li",
        "mark", "meta", "p", "path", "rect", "section", "small", "span", "style", "svg", "table", "tbody", "td", "text",
        "th", "thead", "title", "tr", "ul",
    }  # fmt: skip
    assert all(i["src"].startswith("data:image/png;base64,") for i in tags.named("img"))
    assert not [a for _, attributes in tags.tags for a in attributes if a.startswith("on")]
    assert tags.text.count("onerror") >= 8


def test_it_needs_nothing_else_and_prints(explorer):
    text = report_of(asked(explorer), pictures=page_pictures(verdict(asked(explorer), EASY), explorer.library))
    assert "http:" not in text and "https:" not in text and "url(" not in text and "@import" not in text
    assert "default-src 'none'; style-src 'unsafe-inline'; img-src data:" in text
    assert "@media print" in text and "counter(page)" in text


@pytest.mark.parametrize(("score", "zone"), [(0.2, "never"), (0.35, "named only"), (0.9, "answer")])
def test_the_band_is_drawn_with_its_zones_limits_and_value(make_case, models, score, zone):
    found = verdict(trace_of(models, make_case(scores=(score,))), preset("as_printed"))
    draw = TEMPLATES.get_template("pictures.html").module
    tags = Tags(draw.band(**band(found, preset("as_printed"))))
    assert [t["width"] for t in tags.named("rect")] == ["180", "60", "360"]
    assert f"Evidence confidence {100 * score:.0f} of 100" in tags.named("svg")[0]["aria-label"]
    assert zone in found.band.replace("_", " ") and "30" in tags.text and "40" in tags.text
    x = float(re.match(r"M([\d.]+)", tags.named("path")[1]["d"])[1])
    assert x == pytest.approx(600 * score, abs=0.1)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(moved=MOVED)
def test_whatever_the_limits_are_there_is_a_report(make_case, models, moved):
    text = report_of(trace_of(models, make_case()), moved, preset(moved.name))
    assert "Appendix: all limits" in text


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("What is sound?", "report-what-is-sound.html"),
        ("../../etc/passwd\n\0", "report-etc-passwd.html"),
        ("ध्वनि क्या है?", "report.html"),
        ("long " * 60, "report-" + ("long-" * 12)[:-1] + ".html"),
    ],
)
def test_its_file_has_a_name_that_any_system_takes(query, name):
    assert file_name("report", query) == name


def test_a_greeting_has_a_report_too(explorer):
    trace = asked(explorer, "Good morning!", current=Preset())
    text = Tags(report_of(trace, Preset(), Preset())).text
    assert "ANSWERED" in text and "a ready reply" in text and "○ not run, not applicable" in text


def test_a_question_for_which_nothing_was_found_has_one(make_case, models):
    text = Tags(report_of(trace_of(models, make_case(None, scores=())), Preset(), Preset())).text
    assert "Nothing was found." in text and "No answer was written" in text and "✗ failed" in text
