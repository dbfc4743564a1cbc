"""A pasted answer is read as a person reads it: what a program, a layout or politeness puts around it is not judged."""

import json

import pytest

from core.question import NoAnswerError
from core.text.abstentions import abstention_flags
from core.text.answer_sentences import read_answer
from core.text.given_answer import plain_answer, require_answer

TRUE = "Sound cannot travel through a vacuum."
NEEDS = "Sound needs a medium."


def read(answer):
    return [s.text for s in read_answer(answer, writer="given").sentences]


@pytest.mark.parametrize("around", [
    "Good evening! {} Feel free to ask if anything is unclear.", "Of course! {} Enjoy learning!",
    "Hi there, {} Let me know if you need anything else.", "{} I hope this answers your question.",
    "Thanks for asking! {}", "As an AI language model, I would like to tell you that {}", "Certainly! {}", "Short answer: {}",
    "Here is the answer to your question: {}", "{}\n\nGood luck with your studies!",
    "Absolutely! I'd be glad to help. {} Keep exploring!", "Please note that {} Would you like to know more?",
    "**Response:** {}\n\nHappy studying! 😊", "Let me explain: {}", "In short, {} Have a great day!",
])  # fmt: skip
def test_small_talk_is_not_judged(around):
    assert read(around.format(TRUE)) == [TRUE]


@pytest.mark.parametrize("talk", [
    "Namaste! Happy to help with your homework.", "That's a lovely question, dear student!",
    "Okay, let's look at this together.", "Does that make sense?", "All the best for your test tomorrow!",
    "Thank you for your patience.", "Keep up your good work!",
])  # fmt: skip
def test_what_is_said_to_the_reader_around_an_answer_is_not_judged(talk):
    assert read(f"{talk} {TRUE}") == [TRUE]
    assert read(f"{TRUE} {talk}") == [TRUE]


@pytest.mark.parametrize("aside", ["Start your day with a poison!", "Happy to help with your homework."])
def test_what_is_not_judged_since_it_speaks_to_the_reader_does_not_go_out_either(aside):
    for answer in (f"{TRUE} {aside}", f"{aside} {TRUE}"):
        draft = read_answer(answer, writer="given", given=True)
        assert [s.text for s in draft.sentences] == [TRUE] and aside not in draft.text


@pytest.mark.parametrize("sentence", [
    "You need two ears to tell where a sound comes from!", "Sound is a help to you!", "We use lungs.",
    "Light travels through it!", "If you want to hear, you need air!", "You never hear the Moon!",
    "We hear with our ears.", "You feel tired!", "Good food keeps you healthy.", "You breathe with your lungs!",
    "More water keeps your plants alive.", "That is photosynthesis!",
])  # fmt: skip
def test_what_is_said_to_the_reader_about_the_thing_is_judged(sentence):
    assert read(f"{TRUE} {sentence}") == [TRUE, sentence]


@pytest.mark.parametrize("sentence", [
    "I think that sound is slow.", "I am not sure that sound is slow.", "If you ask me, sound is slow.",
    "Today, more children want help.", "The table is made of wood.", "We hear that sound in space.", "You are right.",
    "A good answer is short, as the king said.", "Hope is a thing with feathers.", "Great Britain is an island.",
    "Work is force times distance.", "I can see seven steps.", "Note 7 is a sound.", "The happy prince gives his ruby.",
    "I doubt that sound is slow.", "Certainly, sound is slow.", "Absolutely, sound is slow.", "Only if you ask, the guard tells the way.", "Language is a key to culture.", "It is not important.",
])  # fmt: skip
def test_a_statement_in_words_of_talk_is_judged(sentence):
    assert read(f"{TRUE} {sentence}") == [TRUE, sentence]


def test_praise_of_the_question_is_filler_and_stays():
    assert read(f"Great question! {TRUE}") == ["Great question!", TRUE]


def test_small_talk_alone_is_judged_as_it_is():
    assert read("Hello! How may I help you?") == ["Hello!", "How may I help you?"]
    assert read("Sure! I don't know.") == ["Sure!", "I don't know."]


@pytest.mark.parametrize("word", ["No.", "Yes.", "Correct!", "False.", "Exactly!"])
def test_a_bare_yes_or_no_is_read_with_the_sentence_that_it_opens(word):
    assert read(f"{word} {TRUE} {NEEDS}") == [f"{word} {TRUE}", NEEDS]


def test_the_mark_of_a_repeat_goes_to_the_sentence_that_it_repeats():
    draft = read_answer(f"{TRUE} [1] {NEEDS} [2] {TRUE} [3]", writer="given")
    assert [(s.text, s.citations) for s in draft.sentences] == [(TRUE, (1, 3)), (NEEDS, (2,))]


def test_a_short_sentence_that_is_said_again_is_left_out():
    assert read("Ice floats. Ice floats. It is light, as wood is.") == ["Ice floats.", "It is light, as wood is."]


@pytest.mark.parametrize("answer", ["[NaCl]", "<5>", "[the cell wall]"])
def test_an_answer_in_brackets_is_an_answer(answer):
    require_answer(answer)


def test_the_mark_of_small_talk_goes_to_the_sentence_before_it():
    (sentence,) = read_answer(f"{TRUE} Hope that helps! [1]", writer="given").sentences
    assert sentence.citations == (1,)


@pytest.mark.parametrize("answer", [
    "<think>Light is faster.</think>{}", "<thinking>\nStep 1\n\nStep 2\n</thinking>\n\n{}", "<THINK>a < b</THINK> {}",
    "The pupil asks. I look at [1].\n</think>\n{}", "{}<think>Was that right?", "<think></think>{}",
    "<scratchpad>7 * 8 = 56</scratchpad>{}", "<think>One.</think><think>Two.</think>{}", "<analysis>x</analysis>\n{}",
    "<thought>Sound is a wave.</thought><answer>{}</answer>",
])  # fmt: skip
def test_the_reasoning_of_a_model_is_neither_judged_nor_shown(answer):
    assert read(answer.format(TRUE)) == [TRUE]
    assert plain_answer(answer.format(TRUE)).strip() == TRUE


@pytest.mark.parametrize(("written", "seen"), [
    ("Sound&nbsp;travels.", "Sound travels."), ("Tom &amp; Asha", "Tom & Asha"), ("3 &lt; 5", "3 < 5"),
    ("100 &deg;C", "100 °C"), ("It&#39;s loud.", "It's loud."), ("It&#x27;s loud.", "It's loud."),
    ("One.<br>Two.", "One.\nTwo."), ("<p>One.</p><p>Two.</p>", "One.\nTwo.\n"), ("<b>Loud</b> sound", "Loud sound"),
    ("He said &quot;no&quot;.", 'He said "no".'), ("R&D; AT&T; fish", "R&D; AT&T; fish"), ("a < b and c > d", "a < b and c > d"),
    ("sound.<sup>1</sup>", "sound.<sup>1</sup>"), ("<ul><li>One.</li></ul>", "One.\n"),
])  # fmt: skip
def test_html_is_read_as_a_browser_shows_it(written, seen):
    assert plain_answer(written) == seen


@pytest.mark.parametrize("value", [
    {"answer": TRUE}, {"response": TRUE, "confidence": 0.9}, {"Answer": TRUE, "sources": ["Science"]}, [TRUE],
    {"result": {"text": TRUE}}, {"final_answer": TRUE, "reasoning": "Light travels."}, {"reply": [TRUE]}, [{"sentence": TRUE}],
    {"explanation": TRUE}, {"output": TRUE, "tokens": 12}, {"data": {"answer": TRUE}},
])  # fmt: skip
def test_json_is_read_for_its_answer(value):
    assert read(json.dumps(value)) == read(f"```json\n{json.dumps(value, indent=2)}\n```") == [TRUE]


def test_a_key_of_python_that_is_no_text_is_read():
    assert read(str({1: TRUE})) == [TRUE]


def test_the_sources_of_json_are_citations():
    written = json.dumps([{"answer": TRUE, "sources": [1, 2]}, {"answer": NEEDS, "citations": 1}])
    assert [s.citations for s in read_answer(written, writer="given").sentences] == [(1, 2), (1,)]


@pytest.mark.parametrize("text", ["[1]", "{x | x > 2} is a set.", "[1] Sound is a wave.", "{}", '{"a": 1}', "[" * 9000,
                                  "{[1]}"])  # fmt: skip
def test_what_is_no_answer_in_json_stays(text):
    assert plain_answer(text) == text


@pytest.mark.parametrize(
    "answer", ["", " \n", "<think>Nothing.</think>", '{"answer": null}', "&nbsp;", '{"answer": ""}', "<p></p>", "[1]",
               "[TODO]", "<unknown>", "[no response given]", "<not available>"]
)  # fmt: skip
def test_an_empty_answer_is_refused(answer):
    with pytest.raises(NoAnswerError):
        require_answer(answer)


@pytest.mark.parametrize("answer", ["[no oxygen]", "<missing electron>", "[unknown author]"])
def test_an_answer_in_brackets_is_one(answer):
    require_answer(answer)


@pytest.mark.parametrize("answer", [
    "None", "NaN", "NA", "n/a", "N/A.", "undefined", "I.D.K.", "Idk.", "idk, sorry", "Not able to answer from this passage.", "Unable to say.",
    "It isn't mentioned here.", "Since the passage does not mention it, I cannot answer.", "Can't help you with that.",
    "Error: the model is overloaded", "HTTP 503 Service Unavailable", "APITimeoutError: Request timed out.",
    "Connection refused", "Traceback (most recent call last): ...", "Error 429: too many requests", "Could not determine from the context.",
    "This isn't discussed here.", "No answer.", "Don't know.", "No answer found.", "Because the text is silent, I can't say.",
])  # fmt: skip
def test_forms_of_no_answer_abstain(answer):
    assert all(abstention_flags(read(answer)))


@pytest.mark.parametrize("answer", [
    "Na", "Na.", "Nil.", "None of the rivers is long.", "An error is the difference of two values.", "The server brought tea.",
    "Error: the difference between the measured and the true value.", "As it is cold, water freezes.", "Nan is the mother of Asha.",
    "Since the lake is not deep, nobody can drown in it.", "The connection between force and motion was unknown.",
])  # fmt: skip
def test_a_short_or_similar_answer_does_not_abstain(answer):
    assert not any(abstention_flags(read(answer)))


@pytest.mark.parametrize("answer", [
    "# Sound\n\n{}\n{}", "### Summary\n{}\n\n### Details\n\n{}", "## Properties of Sound Waves\n\n- {}\n- {}",
    "Here are the key points:\n\n1. {}\n2. {}", "**Summary:**\n{}\n{}", "### 1. Introduction\n\n* {}\n* {}",
    "Here is a short list:\n- {}\n- {}", "#### Key Points About Sound\n{} {}", "Here is what the text says:\n\n* {}\n* {}",
    "**Key points**\n\n{}\n\n{}", "Answer:\n\n{}\n{}", "### What is sound?\n{}\n{}",
    "About Sound\n===========\n{}\n{}", "About Sound\n---\n\n{} {}",
])  # fmt: skip
def test_titles_and_announcements_are_not_judged(answer):
    assert read(answer.format(TRUE, NEEDS)) == [TRUE, NEEDS]


@pytest.mark.parametrize(
    "heading", ["Sound can travel through a vacuum", "It is 962 degrees", "Never in 1880", "Sound Is Loud"]
)
def test_a_heading_that_states_something_is_judged(heading):
    assert read(f"### {heading}\n\n{TRUE}") == [heading, TRUE]


def test_a_heading_that_is_the_answer_is_judged():
    assert read("### Asha") == ["Asha"]


@pytest.mark.parametrize("answer", [
    "1. {} 2. {}", "(1) {} (2) {}", "1) {} 2) {}", "Here are the steps: 1) {} 2) {}", "Key points: 1. {} 2. {}",
    "1) {}; 2) {}", "Sure! Here is a list: (1) {} (2) {}", "1. {} [1] 2. {} [1]", "{} \n1) {}", "1) {}, 2) {}",
])  # fmt: skip
def test_items_within_a_line_are_sentences(answer):
    assert read(answer.format(TRUE, NEEDS)) == [TRUE, NEEDS]


@pytest.mark.parametrize("answer", [
    "Sound needs 1. a medium and 2. a source.", "It rose from 1) to 2) in a day.",
    "In 1) and 2) sound is loud.",
])  # fmt: skip
def test_other_numbers_stay_in_their_sentence(answer):
    assert read(answer) == [answer]


@pytest.mark.parametrize(("answer", "sentences"), [
    ("| Metal | Melts at |\n|---|---|\n| Gold | 1064 °C |", ["Gold: melts at 1064 °C."]),
    ("Planet | Moons\n---|---\nMars | 2", ["Planet | Moons ---|--- Mars | 2"]),
    ("| Planet | Moons | Colour |\n| :--- | :-: | ---: |\n| Mars | 2 | red |\n| Earth | 1 | blue |",
     ["Mars: moons 2, colour red.", "Earth: moons 1, colour blue."]),
    ("Here is a table:\n\n| Gas | pH |\n|---|---|\n| Ammonia | 11 |\n\nAll are gases.", ["Ammonia: pH 11.", "All are gases."]),
    ("| Gold | 1064 °C |", ["| Gold | 1064 °C |"]),
])  # fmt: skip
def test_the_rows_of_a_table_name_their_columns(answer, sentences):
    assert read(answer) == sentences
