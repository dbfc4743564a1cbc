"""The Ask page: examples, verdicts, hostile text, errors as sentences, and the report to print."""

import pytest
from streamlit.testing.v1 import AppTest

from core.book_titles import book
from core.case import Scope
from core.checks import all_checks
from core.presets import PARAMETER, preset
from core.reply.serialization import question_of
from core.retrieval.suggestions import questions_of, suggestions
from pages.components.ask.lights import LIGHTS
from pages.components.ask.verdict_actions import link_to, report_of
from pages.components.shared.question_state import form_of
from pages.components.shared.safe_display import plain
from pages.components.shared.session import ASK, DETAILS
from pages.components.shared.session_types import AskedQuestion
from tests.support.app_pages import (
    PATIENCE,
    ROOT,
    ask,
    checks_of,
    document,
    drawn_elements,
    html_of,
    look_at,
    open_check,
    paste,
    pictures,
    press,
    text_of,
    word,
)
from tests.support.pdfs import chapter, make_pdf

HOSTILE = "<script>alert(1)</script> **bold** $x^2$ [a](javascript:alert(1)) :material/home: :red[x] # h `c` | - * 1. www.a.in"


def test_every_check_is_named_in_its_light_and_opens_its_reason_mode_and_sliders(app):
    press(app, "What is photosynthesis?")
    assert {(name, short) for name, (_, short, _) in checks_of(app).items()} == {
        (c.name, c.short) for c in all_checks()
    }
    for check in all_checks():
        open_check(app, check.name)
        assert any(plain(check.plain) in m.value for m in app.markdown)
        assert app.selectbox(key=f"check {check.name}.mode").value
        drawn = {w.key for w in (*app.slider, *app.toggle)}
        assert {f"check {t.key}" for t in check.thresholds().values()} <= drawn


def test_every_value_stands_beside_its_limit_one_press_away(app):
    press(app, "What is photosynthesis?")
    for light, names in zip(LIGHTS, html_of(app, "checks"), strict=True):
        app.button(key=f"open {light}").click().run()
        (chips,) = [g for g in app.button_group if g.key == ASK.check.key]
        assert len(chips.options) == len(names.findall("span"))
        for span, chip in zip(names.findall("span"), chips.options, strict=True):
            line = span.get("title").rpartition(". ")[0]
            assert plain(line) in chip


def test_a_refusal_offers_questions_to_ask_instead(app):
    ask(app, "Which acid is in the sting of an ant?")
    suggestion = next(b for b in app.button if (b.key or "").startswith("suggestion"))
    suggestion.click().run()
    assert app.text_input(key="question").value == suggestion.label.replace("\\", "")
    assert word(app)


def test_a_refusal_of_our_own_has_nothing_green_and_cites_nothing(app):
    ask(app, "Which acid is in the sting of an ant?")
    for name in ("topic_relevance", "numbers", "hedging"):  # one of each light
        open_check(app, name)
        drawn = [*drawn_elements(app), *(chip for group in app.button_group for chip in group.options)]
        assert word(app) == "REFUSED" and [text for text in drawn if ":green[" in text] == []
    assert [b.key for b in app.button if (b.key or "").startswith("cite ")] == []


@pytest.mark.parametrize(
    ("query", "topic", "near"),
    [
        ("Which acid is in the sting of an ant?", "acids_bases_salts.pdf", {"What is an alkali?"}),
        ("How high is the Hirakud Dam?", "rivers_of_india.pdf", {"What is a drainage basin?"}),
        ("How does soap remove oil from clothes?", "acids_bases_salts.pdf", set()),  # no definition is close to it
        ("Who wrote the play Hamlet?", "nutrition_in_plants.pdf", set()),
        ("Who discovered the cornea?", "nutrition_in_plants.pdf", set()),  # its best passage only has a discoverer
    ],
)
def test_suggestions_are_close_to_the_question_and_can_be_answered(explorer, query, topic, near):
    offered = suggestions(query, explorer.retriever, Scope(), topic, explorer.is_answerable)
    assert set(offered) >= near and bool(offered) == bool(near)
    for question in offered:
        best = explorer.retriever.search(question, Scope(), 1).evidence[0]
        assert best.passage.document == topic and best.answers >= 0.5


def test_a_refusal_because_of_a_filter_offers_a_search_without_it(app, explorer):
    app.selectbox(key="class_number").set_value(7)
    app.selectbox(key="subject").set_value("Biology")
    ask(app, "How fast does sound travel in water?")
    assert word(app) == "REFUSED"
    assert "Only class 7, Biology was searched" in text_of(app)
    assert not suggested(app)  # what other chapters define has nothing to do with the question
    app.button(key="ask in all books").click().run()
    assert not app.exception and word(app) == "ANSWERED"
    assert (app.selectbox(key="class_number").value, app.selectbox(key="subject").value) == (0, "")


def test_a_book_has_one_name_on_the_page(app, explorer):
    ask(app, "What is photosynthesis?")
    (name,) = {book(p) for p in explorer.library.passages() if p.document == "nutrition_in_plants.pdf"}
    cited = [b for b in app.button if (b.key or "").startswith("cite ")]
    assert cited and all(plain(name) in b.help and ".pdf" not in b.help for b in cited)


def suggested(app):
    """The questions that are offered after a refusal."""
    return {b.label for b in app.button if (b.key or "").startswith("suggestion")}


def test_a_refusal_in_a_chapter_that_was_chosen_offers_questions_of_that_chapter(app, explorer):
    app.multiselect(key="documents").set_value(["nutrition_in_plants.pdf"])
    ask(app, "How fast does sound travel in water?")
    assert word(app) == "REFUSED"
    own = [p for p in explorer.library.passages() if p.document == "nutrition_in_plants.pdf"]
    assert suggested(app) and suggested(app) <= {plain(question) for p in own for question in questions_of(p)}


def test_the_fields_of_an_example_are_restored_for_another_question(app):
    app.session_state["class_number"] = 8
    app.run()
    press(app, "Sound in water, 5100 m/s")
    assert (app.session_state["answer_by"], app.selectbox(key="class_number").value) == ("pasted", 0)
    ask(app, "How fast does sound travel in water?")  # the same question keeps the pasted answer
    assert app.session_state["answer_by"] == "pasted"
    ask(app, "Can sound travel through a vacuum?")
    assert (app.session_state["answer_by"], app.selectbox(key="class_number").value) == ("writer", 8)
    assert word(app) == "ANSWERED"


def test_an_answer_typed_over_that_of_an_example_stays(app):
    press(app, "Sound in water, 5100 m/s")
    paste(app, "Sound cannot travel through a vacuum.")
    ask(app, "Can sound travel through a vacuum?")
    assert app.session_state["answer_by"] == "pasted"
    assert app.session_state["pasted"] == "Sound cannot travel through a vacuum."


def test_an_answer_out_of_sight_is_not_judged_against_another_question(app):
    paste(app, "Sound cannot travel through a vacuum.")
    ask(app, "Can sound travel through a vacuum?")
    assert app.session_state["asked"].trace.question.answer and "pasted" not in {t.key for t in app.text_area}
    ask(app, "What is photosynthesis?")
    assert app.session_state["asked"].trace.question.answer is None and word(app) == "ANSWERED"


def test_the_page_introduces_itself_and_names_the_loaded_books(app):
    said = next(c.value for c in app.caption if "In the library:" in c.value).replace("\\", "")
    assert said.startswith("We answer only what your books support")
    assert "In the library: Sound, chapter 10 (class 8); " in said  # the latest book comes first
    assert ".pdf" not in said and said.endswith("and 5 more.")


def test_the_page_of_the_book_stands_beside_the_answer_with_a_link_to_the_library(app):
    press(app, "What is photosynthesis?")
    (picture,) = pictures(app)
    page, _, shows = picture.alt.partition(" of Nutrition in Plants, chapter 1: ")
    assert "compared with the answer" in shows
    (number,) = app.session_state["asked"].trace.rounds[0].case.sentences[0].citations
    app.session_state[ASK.passage_box.key] = True
    app.button(key=f"cite 0 {number}").click().run()
    text = text_of(app)
    assert "**Nutrition in Plants, chapter 1, page 1**" in text
    assert "Agrees with sentence 1 of the answer" in text and "✓ sentence 1]" in text
    app.button(key="open in the library").click().run()  # tests/browser follows the link
    app.switch_page("pages/library.py").run()
    assert not app.exception
    assert f"Page {app.number_input(key='reading page').value}" == page
    assert "Marked" in [b.label for b in app.button]


def test_a_link_asks_its_question_with_its_limits(start, app):
    press(app, "What is photosynthesis?")
    parameters = link_to(app.session_state["asked"].trace)
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=PATIENCE)
    for name, text in {**parameters, PARAMETER: "default,support.min_support=0.5"}.items():
        at.query_params[name] = text
    at.run()
    assert not at.exception and word(at) == "ANSWERED" and at.slider(key="support.min_support").value == 0.5
    assert at.text_input(key="question").value == "What is photosynthesis?" and not dict(at.query_params)
    at.run()
    assert len(at.session_state["own decisions"]) == 1  # asked once


@pytest.mark.parametrize(("class_number", "query"), [
    ("99", "What is noise?"), ("9" * 5000, "What is noise?"), ("٣", "What is noise?"), ("8", "   "),
])  # fmt: skip
def test_a_link_with_a_fault_breaks_nothing(app, class_number, query):
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=PATIENCE)
    for name, text in {"question": query, "class_number": class_number, "subject": ""}.items():
        at.query_params[name] = text
    at.run()
    assert not at.exception and not at.error
    assert query.isspace() or (word(at) == "ANSWERED" and at.session_state["class_number"] == 0)


def test_a_sentence_over_a_page_break_is_shown_on_both_pages(app, explorer):
    said = "A wug is a small bird that sings loudly in the early morning of every summer day."
    first, second = said[:47], said[48:]
    with document(
        explorer, make_pdf(f"Birds are animals with feathers. {first}", f"{second} It eats seeds."), "wug.pdf"
    ):
        ask_pasted(app, "What is a wug?", said, "wug.pdf")
        choice = next(g for g in app.button_group if (g.key or "").startswith("page of "))
        assert list(choice.options) == ["1", "2"] and choice.value == 1
        assert "compared with the answer" in pictures(app)[0].alt


def ask_pasted(app, question, answer, name):
    """Ask a question about one document with a pasted answer."""
    paste(app, answer)
    app.multiselect(key="documents").set_value([name])
    ask(app, question)


def test_the_page_of_a_removed_document_shows_one_sentence(app, explorer):
    with document(explorer, chapter(["A wug is a small bird that sings in the morning."]), "wug.pdf"):
        ask_pasted(app, "What is a wug?", "A wug is a small bird that sings in the morning.", "wug.pdf")
    app.run()
    assert not app.exception and not pictures(app)
    assert "was removed" in text_of(app)


def test_hostile_text_is_escaped(app, explorer):
    with document(explorer, chapter([HOSTILE + " A wug is a small bird that sings."]), f"{HOSTILE[:40]}.pdf") as added:
        paste(app, f"A wug is a small bird. {HOSTILE}")
        ask(app, f"What is a wug? {HOSTILE}")
        app.session_state[ASK.passage_box.key] = True
        everything = [text for section in DETAILS for text in drawn_elements(look_at(app, section))]
        assert plain(added.name) in "\n".join(everything)
    for harm in ("<script>", "**bold**", "$x^2$", "](javascript:", ":material/home:", ":red[x]", "www.a"):
        assert [t for t in everything if harm in t] == []
    assert [m for m in app.markdown if m.allow_html] == []


def test_an_invalid_question_shows_one_sentence(app):
    for question, pages, sentence in (
        ("  ", "", "The question is empty"),
        ("What is sound?", "3-1", "pages must hold page numbers"),
        ("What is sound?", "one", "pages must hold page numbers"),
    ):
        app.text_input(key="pages").set_value(pages)
        ask(app, question)
        assert len(app.error) == 1 and sentence in app.error[0].value.replace("\\", "")
        assert word(app) is None
    app.text_input(key="pages").set_value("")
    paste(app, "")
    press(app, "Ask")
    assert "There is no answer to judge" in app.error[0].value


def test_changed_settings_measure_the_question_again(app, model_calls):
    press(app, "What is photosynthesis?")
    measured = app.session_state["asked"].trace
    app.slider(key="passages_fetched").set_value(3).run()
    assert len(app.session_state["asked"].trace.rounds[0].case.evidence) == 3
    assert app.session_state["asked"].trace is not measured


def test_an_invalid_pattern_shows_one_sentence(app):
    app.text_area(key="patterns").set_value("(unclosed\nwell known").run()
    assert len(app.error) == 1
    assert "cannot be read" in app.error[0].value
    press(app, "What is photosynthesis?")
    assert app.session_state["asked"].measured_with[1].patterns == ("well known",)


def test_a_question_with_own_contexts_is_measured_with_them_and_labelled(app, explorer):
    bell = (
        "Sound needs a medium to travel. It cannot travel through a vacuum. A bell in a jar without air is not heard."
    )
    row = {"query": "Can sound travel through a vacuum?", "contexts": [bell], "answer": "It cannot [1]."}
    trace, _ = explorer.ask(question_of(row), preset("default"))
    app.session_state["asked"] = AskedQuestion(form=form_of(trace.question), trace=trace, measured_with=None)
    app.run()
    assert not app.exception and app.session_state["asked"].trace.question.contexts == trace.question.contexts
    assert "checked against 1 text that came with the question" in text_of(app)
    app.session_state[ASK.passage_box.key] = True
    app.button(key="cite 0 1").click().run()
    assert not app.exception and "there is no page to show" in text_of(app)
    assert any(m.value == "**Context 1**" for m in app.markdown)


def test_the_report_is_made_only_on_request(app, explorer, monkeypatch):
    drawn = []
    picture = explorer.library.picture
    monkeypatch.setattr(
        type(explorer.library), "picture", lambda _, *at, **how: drawn.append(at) or picture(*at, **how)
    )
    press(app, "What is photosynthesis?")
    assert len(drawn) == 1  # the page beside the answer
    (button,) = app.get("download_button")
    assert button.proto.label == "Print"


def test_the_report_has_the_pages_that_the_answer_rests_on(explorer):
    question = question_of({"query": "What is photosynthesis?"})
    trace, verdict = explorer.ask(question, preset("default"))
    report = report_of(trace, verdict, preset("default"), explorer)
    assert "What is photosynthesis?" in report and 1 <= report.count("<img") <= 6
