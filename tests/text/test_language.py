"""A question in another language than the books' is told so, in Hindi where it is Hindi."""

import pytest

from core.case import Question, Scope
from core.decide import next_step, verdict
from core.decide.messages import MESSAGES
from core.graph import Explorer
from core.presets import preset, with_settings
from core.question import HINDI
from core.reply.serialization import dumps, loads
from core.settings.domains import domain
from core.text.words import UNKNOWN, in_english, language_of
from core.thresholds import Preset
from tests.support.libraries import one_chapter
from tests.support.route_bank import sample_explorer
from tests.support.traces import trace_of

SCHOOL = domain("school").messages
ENGLISH, IN_HINDI = MESSAGES["language"], MESSAGES["language_hindi"]
GERMAN = "Das Licht der Sonne ist die Energie, und eine Pflanze wird damit ernährt."


@pytest.mark.parametrize(("query", "language"), [
    ("प्रकाश संश्लेषण क्या है?", HINDI), ("photosynthesis क्या होता है?", HINDI), ("नमस्ते", HINDI),
    ("What is प्रकाश संश्लेषण?", HINDI), ("Sabha kab hui thi?", "romanised Hindi"),
    ("Taj Mahal kisne banaya?", "romanised Hindi"), ("photosynthesis kya hota hai", "romanised Hindi"),
    ("prakash sanshleshan kise kehte hain", "romanised Hindi"),
    ("प्रकाशसंश्लेषण म्हणजे काय?", "Marathi"), ("¿Qué es la fotosíntesis?", "Spanish"),
    ("Qu'est-ce que la photosynthèse ?", "French"), ("Wie ist die Photosynthese?", "German"),
    ("ஒளிச்சேர்க்கை என்றால் என்ன?", UNKNOWN), ("Что такое фотосинтез?", UNKNOWN), ("光合作用是什么？", UNKNOWN),
])  # fmt: skip
def test_another_language_is_told_by_its_script_or_by_its_small_words(query, language):
    assert language_of(query) == language


@pytest.mark.parametrize("query", [
    "What is photosynthesis?", "photosynthesis definition", "λ", "What are λ and θ?", "de Broglie wavelength", "pH", "",
    "Rio de la Plata", "Las Vegas Los Angeles distance", "What does “अम्ल” mean in English?", "2 + 2", "Who was Das?",
    "what is kya hai called in English",
])  # fmt: skip
def test_english_symbols_and_names_are_no_other_language(query):
    assert language_of(query) == ""


def test_a_library_is_in_english_when_most_of_it_is():
    assert in_english(["Plants make food.", "λ = 3", "प्रकाश क्या है"]) and not in_english(["प्रकाश क्या है"])
    assert not in_english([])


@pytest.fixture(scope="module")
def explorer(sample_home, known_models):
    made = sample_explorer(sample_home("language"), known_models)
    yield made
    made.library.close()


@pytest.mark.parametrize(("query", "said"), [
    ("प्रकाश संश्लेषण क्या है?", IN_HINDI), ("ध्वनि कैसे उत्पन्न होती है? समझाइए", IN_HINDI), ("क्या?", IN_HINDI),
    ("¿Qué es la fotosíntesis?", ENGLISH), ("Что такое фотосинтез?", ENGLISH),
])  # fmt: skip
def test_the_sample_library_says_in_which_language_it_can_be_asked(explorer, query, said):
    trace, found = explorer.ask(Question(query=query), Preset())
    assert found.answer == said and found.route in ("refuse", "clarify")
    assert found.primary_reason == "other_language" and trace.meanings == ()
    again = loads(dumps(trace))
    assert verdict(again, Preset()).answer == said and again.rounds[0].case.language == trace.rounds[0].case.language


def test_the_sample_library_refuses_a_question_in_english_as_before(explorer):
    trace, found = explorer.ask(Question(query="How do I bake chocolate chip cookies without an oven?"), Preset())
    assert (found.answer, found.primary_reason) == (SCHOOL["refuse"], "off_topic")
    assert trace.rounds[0].case.language == ""


def test_the_sample_library_has_the_topic_of_another_class(explorer):
    scope = Scope(class_number=10, subject="Mathematics")
    _, found = explorer.ask(Question(query="How is sound produced?", scope=scope), Preset())
    assert (found.route, found.primary_reason) == ("refuse", "outside_scope")


def test_books_that_are_not_in_english_say_nothing_of_it(models, tmp_path):
    asked, found = Question(query="प्रकाश क्या है?"), []
    for name, text in (("english", "Green leaves make food in sunlight."), ("german", GERMAN)):
        with one_chapter(tmp_path / name, models, text) as library:
            found.append(Explorer(library, models).ask(asked, Preset()))
    assert [trace.rounds[0].case.language for trace, _ in found] == [HINDI, ""]
    assert [told.answer for _, told in found] == [SCHOOL["language_hindi"], SCHOOL["refuse"]]


@pytest.mark.parametrize("seed", "abcde")
def test_under_every_seed_another_language_is_told_so_and_an_answer_goes_out(make_case, models, seed):
    once = with_settings(preset(f"seed_{seed}"), ["confidence.refine_rounds=0"])
    weak = trace_of(models, make_case("Perhaps.", (0.2, 0.1), language=HINDI))
    found = verdict(weak, once)
    handed_over = f" {MESSAGES['escalate']}" if found.route == "escalate" else ""
    assert found.answer == IN_HINDI + handed_over and bool(handed_over) == (seed == "d")
    cited = make_case("An arithmetic progression is a list of numbers [1].", language=HINDI)
    answered = verdict(trace_of(models, cited), once)
    assert answered.answered and answered.answer.startswith("An arithmetic progression is a list of numbers")


def test_the_language_moves_no_route(make_case, models):
    for scores in ((0.9, 0.7), (0.4, 0.3), (0.2, 0.1)):
        plain, other = (trace_of(models, make_case(scores=scores, language=one)) for one in ("", HINDI))
        assert next_step(plain, Preset()) == next_step(other, Preset())
