"""The Ask page: examples, verdicts, hostile text, and errors as sentences."""

import re

import pytest

from core.case import Scope
from core.checks import all_checks
from core.presets import preset
from core.reply.serialization import question_of
from core.retrieval.suggestions import questions_of, suggestions
from pages.components.ask.asking import form_of
from pages.components.shared.safe_display import plain
from pages.components.shared.session_types import AskedQuestion
from tests.support.app_pages import document, drawn_elements, pictures, press, tiles_of, word
from tests.support.pdfs import chapter, pdf

HOSTILE = "<script>alert(1)</script> **bold** $x^2$ [a](javascript:alert(1)) :material/home: :red[x] # h `c` | - * 1. www.a.in"


def test_every_check_has_a_tile_with_its_name_state_and_sliders(app):
    press(app, "What is photosynthesis?")
    tiles = tiles_of(app)
    assert {(n, t["name"], t["requirement"]) for n, t in tiles.items()} == {
        (c.name, c.short, c.plain) for c in all_checks()
    }
    for check in all_checks():
        assert [s["key"] for s in tiles[check.name]["sliders"]] == [t.key for t in check.thresholds().values()]
    assert list(tiles)[8:11] == ["answer_relevance", "numbers", "support"]


def test_a_refusal_offers_questions_to_ask_instead(app):
    ask(app, "Which acid is in the sting of an ant?")
    suggestion = next(b for b in app.button if (b.key or "").startswith("suggestion"))
    suggestion.click().run()
    assert app.text_input(key="question").value == suggestion.label.replace("\\", "")
    assert word(app)


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
    app.selectbox(key="subject").set_value("Biology").run()
    ask(app, "How fast does sound travel in water?")
    assert word(app) == "REFUSED"
    assert any("Only class 7, Biology was searched" in m.value.replace("\\", "") for m in app.markdown)
    offered = {b.label for b in app.button if (b.key or "").startswith("suggestion")}
    in_scope = [p for p in explorer.library.passages() if (p.class_number, p.subject) == (7, "Biology")]
    assert offered and offered <= {plain(question) for p in in_scope for question in questions_of(p)}
    app.button(key="ask in all books").click().run()
    assert not app.exception and word(app) == "ANSWERED"
    assert (app.selectbox(key="class_number").value, app.selectbox(key="subject").value) == (0, "")


def test_the_fields_of_an_example_are_restored_for_another_question(app):
    app.selectbox(key="class_number").set_value(8).run()
    press(app, "Sound in water, 5100 m/s")
    assert (app.selectbox(key="answer_by").value, app.selectbox(key="class_number").value) == ("pasted", 0)
    ask(app, "How fast does sound travel in water?")  # the same question keeps the pasted answer
    assert app.selectbox(key="answer_by").value == "pasted"
    ask(app, "Can sound travel through a vacuum?")
    assert (app.selectbox(key="answer_by").value, app.selectbox(key="class_number").value) == ("writer", 8)
    assert word(app) == "ANSWERED"


def test_an_answer_typed_over_that_of_an_example_stays(app):
    press(app, "Sound in water, 5100 m/s")
    app.text_area(key="pasted").set_value("Sound cannot travel through a vacuum.").run()
    ask(app, "Can sound travel through a vacuum?")
    assert app.selectbox(key="answer_by").value == "pasted"
    assert app.text_area(key="pasted").value == "Sound cannot travel through a vacuum."


def test_the_page_introduces_itself_and_names_the_loaded_books(app):
    said = next(c.value for c in app.caption if "In the library:" in c.value).replace("\\", "")
    assert said.startswith("We answer only what your books support")
    assert "In the library: Sound, chapter 10 (class 8); " in said  # the latest book comes first
    assert ".pdf" not in said and said.endswith("and 5 more.")


def ask(app, question):
    app.text_input(key="question").set_value(question)
    return press(app, "Ask")


def test_a_citation_opens_its_passage_and_page_with_a_link_to_the_library(app):
    press(app, "What is photosynthesis?")
    assert not pictures(app)
    (number,) = app.session_state["asked"].trace.rounds[0].case.sentences[0].citations
    source = next(b.key for b in app.button if re.fullmatch(rf"cite \S* ?{number}", b.key or ""))
    app.button(key=source).click().run()
    text = "\n".join(drawn_elements(app))
    assert "**Nutrition in Plants, chapter 1, page 1**" in text
    assert "Supports sentence 1 of the answer" in text and "S1 agrees]" in text
    picture = pictures(app)[0]
    page, _, shows = picture.alt.partition(" of Nutrition in Plants, chapter 1: ")
    assert "compared with the answer" in shows
    app.run()
    assert "S1 supported]" not in "\n".join(drawn_elements(app))
    app.button(key=source).click().run()
    app.button(key="open in the library").click().run()  # tests/browser follows the link
    app.switch_page("pages/library.py").run()
    assert not app.exception
    assert f"Page {app.number_input(key='reading page').value}" == page
    assert "Marked" in [b.label for b in app.button]


def test_a_sentence_over_a_page_break_is_shown_on_both_pages(app, explorer):
    said = "A wug is a small bird that sings loudly in the early morning of every summer day."
    first, second = said[:47], said[48:]
    with document(explorer, pdf(f"Birds are animals with feathers. {first}", f"{second} It eats seeds."), "wug.pdf"):
        ask_pasted(app, "What is a wug?", said, "wug.pdf")
        next(b for b in app.button if (b.key or "").startswith("passage")).click().run()
        choice = next(g for g in app.button_group if (g.key or "").startswith("page of "))
        assert list(choice.options) == ["1", "2"] and choice.value == 1
        assert "compared with the answer" in pictures(app)[0].alt


def ask_pasted(app, question, answer, name):
    """Ask a question about one document with a pasted answer."""
    app.selectbox(key="answer_by").set_value("pasted").run()
    app.text_input(key="question").set_value(question)
    app.multiselect(key="documents").set_value([name])
    app.text_area(key="pasted").set_value(answer)
    press(app, "Ask")


def test_the_page_of_a_removed_document_shows_one_sentence(app, explorer):
    with document(explorer, chapter(["A wug is a small bird that sings in the morning."]), "wug.pdf"):
        ask_pasted(app, "What is a wug?", "A wug is a small bird that sings in the morning.", "wug.pdf")
    next(b for b in app.button if (b.key or "").startswith("passage")).click().run()
    assert not app.exception and not pictures(app)
    assert "was removed" in app.error[0].value


def test_hostile_text_is_escaped(app, explorer):
    with document(explorer, chapter([HOSTILE + " A wug is a small bird that sings."]), f"{HOSTILE[:40]}.pdf") as added:
        app.selectbox(key="answer_by").set_value("pasted").run()
        app.text_input(key="question").set_value(f"What is a wug? {HOSTILE}")
        app.text_area(key="pasted").set_value(f"A wug is a small bird. {HOSTILE}")
        press(app, "Ask")
        next(b for b in app.button if (b.key or "").startswith("passage")).click().run()
        assert not app.exception
        everything = drawn_elements(app)
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
        app.text_input(key="question").set_value(question)
        app.text_input(key="pages").set_value(pages)
        press(app, "Ask")
        assert len(app.error) == 1 and sentence in app.error[0].value.replace("\\", "")
        assert word(app) is None
    app.text_input(key="pages").set_value("")
    app.selectbox(key="answer_by").set_value("pasted").run()
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
    assert any("was judged by 1 text that came with it" in caption.value for caption in app.caption)
    app.button(key="cite 0 1").click().run()
    assert not app.exception and any("there is no page to show" in c.value for c in app.caption)
    assert any(m.value == "**Context 1**" for m in app.markdown)
