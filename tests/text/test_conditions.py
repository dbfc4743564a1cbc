"""What a question asks about that an answer does not meet: pairs of one kind, and what must raise no alarm."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.question import MAX_QUERY
from core.text.conditions import may_replace, mismatches, speaks_of_another, unmet

OF_ANOTHER = [
    # quantities, years and labels
    ("quantity", "An echo comes back after 2 s. How far is the cliff?", "If the echo is heard after 3 s, the distance is 510 metres."),
    ("quantity", "How far does a bus get in 4 hours?", "In 6 hours the bus covers 300 km."),
    ("quantity", "What is the pressure at a depth of 20 m?", "At a depth of 35 m the pressure is 4.5 atmospheres."),
    ("quantity", "How fast does the reaction run at 40 °C?", "At 60 °C the reaction runs twice as fast."),
    ("quantity", "What is the interest on Rs 500?", "The interest on Rs 800 is Rs 64."),
    ("quantity", "Which laws were passed in 1905?", "In 1919 two new laws were passed."),
    ("quantity", "What does Article 12 promise?", "Article 15 promises equal wages."),
    ("quantity", "What is taught in Class X?", "In Class IX we learn about heat."),
    ("quantity", "What does the third law say?", "The second law says that force is mass times acceleration."),
    ("quantity", "How much water is pumped in round 2?", "In the first round 40 litres are pumped."),
    ("quantity", "What does Figure 4 show?", "Figure 7 shows a cell."),
    ("quantity", "How many seats were won in the 5th year?", "In the 7th year ninety seats were won."),
    # names
    ("name", "What is the capital of Norway?", "The capital of Sweden is Stockholm."),
    ("name", "How much rice is grown in Nepal?", "Much rice is grown in Bhutan."),
    # media, times, members of a kind
    ("circumstance", "How fast is sound in water?", "The speed of sound in air is 340 m/s."),
    ("circumstance", "How fast is sound in iron?", "Sound travels at 340 m/s in air."),
    ("circumstance", "What do owls do at night?", "At day they sleep in hollow trees."),
    ("circumstance", "How many days are there in February?", "There are 31 days in January."),
    ("circumstance", "How long is a year on Mars?", "A year on Venus takes 225 days."),
    ("circumstance", "What grows in summer?", "In winter wheat is grown."),
    # comparisons
    ("comparison", "Which is longer, the Ganga or the Godavari?", "The Godavari is the longest of the peninsular rivers."),
    ("comparison", "Who is taller, Meena or Rashid?", "Rashid is the tallest of the boys."),
    ("comparison", "Which is harder, talc or quartz?", "Talc is the softest of all minerals."),
    # superlatives
    ("superlative", "Which is the largest river of India?", "The Godavari is the largest peninsular river."),
    ("superlative", "Which is the highest peak in the world?", "K2 is the highest peak in the Karakoram."),
    ("superlative", "Who first built a telescope?", "Another man built a better telescope later."),
    ("superlative", "Which is the deepest lake of all?", "Lake Crater is the deepest volcanic lake."),
    # opposites and kinds of one thing
    ("opposite", "What are the disadvantages of dams?", "Dams have many advantages for farmers."),
    ("opposite", "What is planned growth?", "Unplanned growth harms towns."),
    ("opposite", "What are the properties of an acid?", "A base tastes bitter and feels soapy."),
    ("opposite", "Which lens corrects hypermetropia?", "Myopia is corrected by a concave lens."),
    ("opposite", "What is a convex mirror used for?", "A concave mirror is used by dentists."),
    ("opposite", "What is a monohybrid cross?", "A dihybrid cross follows two traits."),
    ("opposite", "Which goods does the country import?", "Tea and spices are what it exports."),
    ("opposite", "What happens at the anode?", "Copper is deposited at the cathode."),
    ("opposite", "When was the queen Devika crowned?", "The queen Devika was born in 1512 in a small fort."),
    ("opposite", "When did the poet Kesari die?", "The poet Kesari was born in 1901."),
    ("opposite", "What is an exothermic change?", "An endothermic change takes in heat."),
    ("opposite", "What is the formula of a geometric progression?", "The sum of an arithmetic progression is n(a + l)/2."),
    ("opposite", "What is the formula of a geometric progression?", "The nth term of an AP is a + (n - 1)d."),
    ("opposite", "How do you find the simple interest?", "The CI for two years is given by the formula."),
    ("opposite", "What is potential energy?", "The KE of a body grows with its speed."),
    ("opposite", "What is direct current?", "AC changes its direction many times in a second."),
    ("opposite", "What is a joint family?", "A nuclear family has a couple and their children."),
    ("opposite", "What are metals that are renewable called?", "Coal is a non-renewable source."),
    ("opposite", "Where is the nearest star?", "The farthest star is seen only by telescopes."),
    # another subject
    ("subject", "Can light travel through a vacuum?", "Sound cannot travel through a vacuum."),
    ("subject", "Do snakes lay eggs in sand?", "Turtles lay eggs in sand."),
    ("subject", "How does copper conduct heat well?", "Silver does conduct heat well."),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "question", "answer"), OF_ANOTHER)
def test_an_answer_to_another_question_shows_by_what_it_says_instead(kind, question, answer):
    found = mismatches(question, answer)
    assert kind in {one.kind for one in found}
    assert all(one.condition in one.text and one.rival in one.text for one in found)


MET = [
    ("What is the sum of an arithmetic progression?", "The sum of an AP is half of n times the first and last term."),
    ("What is potential energy?", "The PE of a body is greater the higher it is."),
    ("What is a public company?", "A PC on every desk made the company known."),
    ("An echo comes back after 2 s. How far is the cliff?", "After 2 s the sound has gone 680 m, so the cliff is 340 m away."),
    ("An echo comes back after 2 s. How far is the cliff?", "The cliff is 340 metres away."),
    ("How far does a bus get in 4 hours?", "In 240 minutes it covers 200 km, in 6 hours 300 km."),
    ("By how many rupees does spending go up when income rises by 100 rupees?", "It goes up by Rs 80."),
    ("How far apart are two poles at 45 degrees?", "At 45⁰ they are 79 km apart, at 30⁰ 96 km."),
    ("What is the interest on Rs 500?", "The interest comes to Rs 40."),
    ("What is the speed of who walks 300 m in 2 minutes 30 seconds?", "Within 150 s she walks 300 m, which is 2 m/s."),
    ("Which needs more energy, a fan that runs for 1 hour or an iron that runs for 10 minutes?", "A fan that runs for 1 h, not the iron."),
    ("In which year after 1905 was the bridge built?", "The bridge was built in 1931."),
    ("What does Article 12 promise?", "It promises free schooling."),
    ("What is taught in Class X?", "Class 10 is taught about light, Class 9 about heat."),
    ("Which prize was given in the first year?", "A gold medal was given then."),
    ("What is the capital of Norway?", "Oslo is its capital."),
    ("By what name is the Ganga known in Bangladesh?", "It goes by the name of Padma there."),
    ("How fast is sound in water?", "In water its speed is about 1500 m/s, in air 340 m/s."),
    ("How do divers breathe under water?", "They carry air in steel bottles."),
    ("Why do the stars seem to go west?", "Because the Earth turns towards the east."),
    ("Which is longer, the Ganga or the Godavari?", "The Ganga is longer."),
    ("Which is longer, the Ganga or the Godavari?", "The Ganga is 2,500 km long, the Godavari 1,465 km."),
    ("Which unit is larger - family or community?", "A community is larger than a family."),
    ("Which is the largest river of India?", "The Ganga is the largest river of India."),
    ("Which is the highest peak in the world?", "Mount Everest is the world's highest peak."),
    ("Which is the largest gland?", "The liver is the largest gland in the human body."),
    ("Who first built a telescope?", "The earliest telescope was built by a spectacle maker."),
    ("What are the disadvantages of dams?", "Besides some advantages, dams have disadvantages: they flood valleys."),
    ("What are the disadvantages of dams?", "Their demerits are floods and silt."),
    ("What is planned growth?", "Planned growth avoids what unplanned growth brings."),
    ("Is an acid bitter?", "No, a base is bitter."),
    ("Are non-metals shiny?", "Metals are shiny."),
    ("Can light travel through a vacuum?", "Light can travel through a vacuum."),
    ("Does sound travel through a vacuum?", "Sound cannot travel through a vacuum."),
    ("Why does rust form?", "Iron reacts with damp air."),
    ("Who set up the Reserve Bank of India?", "The RBI was set up by an act of parliament."),
    ("In which country do people speak Nepali?", "People speak it in Nepal."),
]  # fmt: skip


@pytest.mark.parametrize(("question", "answer"), MET)
def test_an_answer_to_the_question_raises_no_alarm(question, answer):
    assert mismatches(question, answer) == ()


@pytest.mark.parametrize(("question", "answer", "kind", "asked"), [
    ("Who discovered the Barr body?", "Jacob and Monod described the operon.", "name", "Barr"),
    ("What is made from NaCl?", "Soap is made from fat.", "name", "NaCl"),
    ("An echo comes back after 2 s. How far is the cliff?", "The cliff is 340 metres away.", "quantity", "2 s"),
    ("What is the 11th term of the list 2, 5, 8?", "The common difference is 3.", "quantity", "11th term"),
    ("What lives in a pond?", "Whales live in the sea.", "circumstance", "in pond"),
    ("Which is the tallest tree?", "The oak is a tree.", "superlative", "tallest"),
    ("What is an anemometer?", "A barometer measures pressure.", "term", "anemometer"),
])  # fmt: skip
def test_what_an_answer_only_lacks_is_no_mismatch(question, answer, kind, asked):
    found = unmet(question, answer)
    assert (kind, asked, "") in {(one.kind, one.condition, one.rival) for one in found}
    assert not any(one.is_mismatch for one in found)


@pytest.mark.parametrize(("question", "answer", "context"), [
    ("Who discovered the Barr body?", "It was seen first in the cells of cats.", "The Barr body"),
    ("Who got the Padma Shri?", "He got the Padma award.", ""),
    ("How fast is sound in water?", "Its speed is 1500 m/s.", "Sound in water"),
    ("How far away is the cliff if the echo takes 2 s?", "The cliff is then 340 m away.", "The echo takes 2 s."),
])  # fmt: skip
def test_what_stands_around_an_answer_counts_as_named(question, answer, context):
    assert [one for one in unmet(question, answer, context) if one.kind != "term"] == []


@pytest.mark.parametrize("question", [
    "What are the two lungs for?", "Give any three uses of salt.", "Name 4 metals.", "How much is added for every 1 °C?",
])  # fmt: skip
def test_counts_of_what_is_wanted_are_no_conditions(question):
    assert [one for one in unmet(question, "Nothing of it stands here.") if one.kind == "quantity"] == []


@pytest.mark.parametrize(("question", "judged", "statement", "may"), [
    ("An echo comes after 2 s. How far is the cliff?", "340 metres", "After 3 s an echo has come from 510 metres.", False),
    ("What is the 11th term of 2, 5, 8?", "The 11th term is 32.", "The common difference is 3.", False),
    ("What is the 11th term of 2, 5, 8?", "32", "The common difference is 3.", False),
    ("What happens when it rises from 10 to 20?", "It gets 5 more.", "When it rises to 20, all get more.", True),
    ("Were the Dhurras paid for 3 days?", "The Dhurras were paid.", "They did not get paid for their work.", True),
    ("What does CuO lose?", "Copper oxide loses heat.", "Copper oxide loses oxygen.", True),
    ("Which is longer, the Indus or the Narmada?", "The Indus is longer.", "The Narmada is the longest of these.", False),
    ("Who found the Barr body?", "Murray Barr found the Barr body.", "Jacob found the operon.", False),
    ("Who found the Barr body?", "A doctor found it in cats.", "It was found in the cells of cats.", True),
    ("What is sound?", "Sound is a form of light.", "Sound is a form of energy.", True),
    ("At what speed does sound travel in air?", "In air it is 300 m/s.", "In air sound travels at 340 m/s.", True),
])  # fmt: skip
def test_a_statement_replaces_only_what_meets_no_more_of_the_question(question, judged, statement, may):
    assert may_replace(question, judged, statement) is may


def test_the_judged_thing_is_not_exchanged_for_another():
    light, sound = "Light can travel through a vacuum.", "Sound cannot travel through a vacuum."
    assert speaks_of_another("What is known of light?", light, sound)
    assert not speaks_of_another("What is known of light?", light, sound, "Light and sound")
    assert not speaks_of_another("What is known of sound?", "Sound can travel through a vacuum.", sound)


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_text_is_read(question, answer):
    """What is asked is never said in its own place."""
    assert all(one.condition.lower() != one.rival.lower() for one in unmet(question, answer))


@given(st.sampled_from([pair[1] for pair in OF_ANOTHER] + [pair[0] for pair in MET]))
def test_a_question_that_is_said_again_mismatches_nothing(question):
    assert mismatches(question, question) == ()


@given(st.sampled_from(OF_ANOTHER))
def test_an_answer_beside_the_question_itself_mismatches_nothing(pair):
    """Where the words of the question stand around it, an answer names all that is asked."""
    _, question, answer = pair
    assert mismatches(question, answer, question) == () or pair[0] in ("comparison", "superlative")


@pytest.mark.parametrize(
    "piece", ["in the ", "most ", "A ", "2 s ", "or the X ", "largest of the ", "(a) x ", "first year "]
)
def test_a_long_text_takes_no_long_time(piece):
    text, start = (piece * 20_000)[:20_000], time.perf_counter()
    unmet(f"Which is longer, {text[:MAX_QUERY]}?", text)
    assert time.perf_counter() - start < 5
