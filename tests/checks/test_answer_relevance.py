"""The real reader tells a sentence that answers from one that only speaks of the same thing."""

import pytest

from core.case import Case, Draft, Passage, Question, Sentence
from core.check import Bound
from core.checks.answer_relevance import AnswerRelevance
from core.features.case_features import CaseFeatures
from core.presets import preset
from core.retrieval.scoring import score_passages
from core.text.answer_sentences import read_answer
from core.text.sentences import sentences
from core.thresholds import Preset

CHECK = AnswerRelevance()
SURE = Preset(thresholds={"answer_relevance.min_answer_relevance": 0.6})
"""A limit at which all four are caught; at the default's, which refuses fewer good answers, the first gets through."""
BESIDE = {
    "What is the nth term of an AP?": "The nth term is also called the general term of the AP.",
    "What is an AP?": "Not every list that grows is an AP.",
    "Why are danger signals red?": "You might have observed that 'danger' signal lights are red.",
    "Why should a chemical equation be balanced?": "Hence, we need to balance a skeletal chemical equation.",
}
RIGHT = {
    "What is the nth term of an AP?": "The nth term of an AP with first term a and common difference d is a + (n - 1)d.",
    "What is an AP?": "An AP is a list of numbers in which each term is found by adding a fixed number to the one before.",
    "Why are danger signals red?": "Danger signals are red because red light is scattered least by fog and smoke.",
    "Why should a chemical equation be balanced?": "Mass can neither be created nor destroyed in a chemical reaction, "
    "so the number of atoms of each element must be the same on both sides.",
}


@pytest.fixture(scope="module")
def models(bundled_models):
    return bundled_models


@pytest.fixture
def passes(models):
    def says(query, answer, base=SURE):
        case = Case(question=Question(query=query), query=query, draft=read_answer(answer, writer="given", given=True))
        return bool(CHECK.decide(Bound(answers=CHECK.measure(case, CaseFeatures(case, models))["answers"]),
                                 CHECK.bind(base)).passed)  # fmt: skip

    return says


@pytest.mark.parametrize("query", BESIDE)
def test_what_speaks_of_the_same_thing_does_not_pass(passes, query):
    assert not passes(query, BESIDE[query])
    assert not passes(query, BESIDE[query], preset("default"))


@pytest.mark.parametrize("query", RIGHT)
def test_the_right_answer_to_the_same_question_passes(passes, query):
    assert passes(query, RIGHT[query]) and passes(query, RIGHT[query], preset("default"))


EYES = """The lens of an old eye grows stiff, which is called presbyopia. Bifocal lenses correct presbyopia: their lower
part helps in reading, their upper part in looking far. Many pupils see near things clearly and the board not at all.
Myopia is corrected with a concave lens of the right power."""
SOUND = """Sound travels at 343 metres per second in air at 20 °C. In water it is about 1500 metres per second, and in
steel about 5000 metres per second. It cannot travel through empty space."""
SIGNALS = """You may have seen that the lamps that warn of danger are red. Fog and smoke scatter red light least, so
danger signals in red are seen from farthest away. The sky looks blue since air scatters blue light most."""
QUOTED = [
    (SIGNALS, "Why are danger signals red?", "Fog and smoke", "You may have seen"),
    (SIGNALS, "Why are danger signals red?", "Fog and smoke", "The sky looks blue"),
    (EYES, "How is presbyopia corrected?", "Bifocal lenses", "Myopia is corrected"),
    (SOUND, "How fast does sound travel in steel?", "In water", "It cannot"),
]


@pytest.mark.parametrize("page, query, right, beside", QUOTED)
def test_what_the_page_says_of_another_thing_does_not_answer(models, page, query, right, beside):
    passage = Passage(id="p", sentences=tuple(sentences(page)), pages=(1,) * len(sentences(page)))
    evidence = score_passages(query, [passage], models)
    quoted = {begins: next(s for s in passage.sentences if s.startswith(begins)) for begins in (right, beside)}

    def answered(begins):
        draft = Draft(text=quoted[begins], sentences=(Sentence(text=quoted[begins], citations=(1,)),), writer="given")
        return CaseFeatures(Case(question=Question(query=query), query=query, evidence=evidence, draft=draft), models)

    limit = CHECK.bind(preset("default")).min_answer_relevance
    assert answered(right).answered[0] >= limit > answered(beside).answered[0]


FALLING = """Galileo was born in Pisa in 1564, and taught at Padua from 1592 to 1610. The Greek thinker Aristotle, who
died in 322 BC, taught that heavy bodies fall faster than light ones. Yes and no are both short words."""


@pytest.mark.parametrize(("query", "answer", "beside"), [
    ("In which year did Aristotle die?", "322 BC", False), ("In which year did Newton die?", "322 BC", True),
    ("In which year was Galileo born?", "In 1564.", False),
])  # fmt: skip
def test_a_part_of_a_sentence_is_read_as_what_the_sentence_says(models, query, answer, beside):
    """Alone, a year answers any question for one."""
    passage = Passage(id="p", sentences=tuple(sentences(FALLING)), pages=(1,) * len(sentences(FALLING)))
    case = Case(question=Question(query=query), query=query, draft=read_answer(answer, writer="w"),
                evidence=score_passages(query, [passage], models))  # fmt: skip
    limit = CHECK.bind(preset("default")).min_answer_relevance
    assert bool(CaseFeatures(case, models).answered[0] < limit) is beside


def test_a_bare_yes_is_a_part_of_nothing(models):
    passage = Passage(id="p", sentences=tuple(sentences(FALLING)), pages=(1, 1, 1))
    case = Case(question=Question(query="Are they short?"), query="Are they short?", draft=read_answer("Yes.", writer="w"),
                evidence=score_passages("Are they short?", [passage], models))  # fmt: skip
    assert CaseFeatures(case, models).answered == [models.reader.read(case.query, ["Yes."])[0].probability]


def test_an_answer_quoted_from_a_passage_that_only_asks_is_measured_and_answers_nothing(models):
    said = ("Name the force that pulls a stone down.", "Why does it fall?")
    evidence = score_passages("What is weight?", [Passage(id="p", sentences=said, pages=(1, 1))], models)
    case = Case(
        question=Question(query="What is weight?"), query="What is weight?", evidence=evidence,
        draft=read_answer(said[0], writer="given", given=True),
    )  # fmt: skip
    signals = Bound(answers=CHECK.measure(case, CaseFeatures(case, models))["answers"])
    assert CHECK.decide(signals, CHECK.bind(preset("default"))).failed


def test_one_sentence_that_answers_is_enough(passes):
    query = "Why are danger signals red?"
    assert passes(query, f"{BESIDE[query]} {RIGHT[query]}")


EAR = """Three small bones carry the vibrations through the middle ear. The part of the inner ear that makes signals for
the brain is the cochlea, a coiled tube that is filled with liquid. A thin skin closes the canal of the ear."""
FACTORIES = """To protect the white marble of the tomb, a court told 292 factories in the town to burn gas instead of
coal or to move away. Its garden has four parts, and water runs between them."""
LOUD = """The loudness of a sound goes up with the square of the amplitude. If the amplitude becomes twice as large, the
loudness increases by a factor of 4. A loud sound is heard from farther away."""
IN_OTHER_WORDS = [
    (EAR, "Which part of the inner ear makes the signals?", "That job is done by the cochlea.", True),
    (EAR, "Which part of the inner ear makes the signals?", "It is a matter of great interest how we hear.", False),
    (EAR, "Which part of the inner ear makes the signals?", "The vibrations pass through three small bones.", False),
    (FACTORIES, "How many factories had to change because of the tomb?", "The court gave 292 this order.", True),
    (
        LOUD,
        "What happens to loudness if the amplitude is doubled?",
        "Doubling it makes the sound four times as loud.",
        True,
    ),
    (
        LOUD,
        "What happens to loudness if the amplitude is doubled?",
        "Loudness is a matter of much interest here.",
        False,
    ),
    (FACTORIES, "How many factories had to change because of the tomb?", "The garden falls into four parts.", False),
]


@pytest.mark.parametrize("page, query, answer, is_right", IN_OTHER_WORDS)
def test_an_answer_in_other_words_is_read_beside_the_sentence_of_the_book_that_says_it(
    models, page, query, answer, is_right
):
    passage = Passage(id="p", sentences=tuple(sentences(page)), pages=(1,) * len(sentences(page)))
    evidence = score_passages(query, [passage], models)
    draft = read_answer(answer, writer="given", given=True)
    case = Case(question=Question(query=query), query=query, evidence=evidence, draft=draft)
    measured = CHECK.measure(case, CaseFeatures(case, models))["answers"]
    assert CHECK.decide(Bound(answers=measured), CHECK.bind(preset("default"))).passed == is_right
