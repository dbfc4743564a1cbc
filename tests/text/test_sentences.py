"""Where sentences end, in answers and in books."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.claims import only_asks
from core.text.sentences import sentences

ENDINGS = """
Ford Motors came to India in 1995 and spent Rs. 1700 crore.| It built a plant there.
He paid Rs. 50.| Then he left the shop.
The ticket costs Re. 1 only.| It is cheap.
Auxin was isolated by F.W. Went in 1928.| He used oat shoots.
The experiment was done by F. W. Went.| It used agar.
Dr. C. V. Raman won the prize.| He was born in 1888.
Dr. B.R. Ambedkar led the committee.| He drafted the law.
It was found by C.V. Raman.| He lived in Calcutta.
He worked for the U.S. Department of State.| It is large.
The U.S. Government lent the money.| The town built a mill.
The goods went to the U.S.| They came back a year later.
They live on St. Thomas Mt. Road in Chennai.| It is a long road.
Mt. Everest is 8848 m high.| It lies in Nepal.
It was signed on Aug. 15, 1947 in Delhi.| The day is a holiday.
School opens on Jan. 3 after the holidays.| Bring your books.
The capital is Mara (pop. 20,000).| It has a port.
Smt. Rao taught history.| Smt. Sen taught music.
Shri. Patel and Smt. Devi came.| They sat down.
Mr. and Mrs. Das went home.| It was late.
Prof. Bose worked in Kolkata.| He studied plants.
Col. Mehta and Lt. Singh stood guard.| Gen. Rao spoke.
The firm is Tata Sons Ltd. and it is old.| It makes steel.
He works at Tata Steel Co. Ltd.| The firm is old.
Some animals, e.g. bats, hear echoes.| Others do not.
The metal is soft, i.e. it can be cut.| Sodium is one.
Iron, copper, etc. are metals.| Sulphur is not.
We need rice, wheat, pulses, etc.| These are crops.
Look at Fig. 3.2 and find the root.| What do you see?
See Figs. 2 and 3 on this page.| They show a leaf.
It is shown in Fig. 4.| The arrow points up.
Read p. 12 and pp. 14-16 again.| Then answer.
See Sec. 4.2 of Ch. 3 for more.| It is short.
Eq. 5 gives the speed.| Use it here.
In No. 7 the answer is wrong.| Try again.
Is it true?| No.| It is false.
The rod is 5 m long.| Its mass is 2 kg.
The length is 5 m.| The width is 3 m.
The mass is 40 g.| It sinks in water.
The time taken is 20 s.| The speed is then found.
The volume is 2 L.| The jar is full.
It weighs 3 kg.| It is made of iron.
The train left at 5 p.m. and came at 9 a.m.| It was late.
The train left at 5 p.m.| It was late.
The density is 1.5 g per cm.| That is low.
The value of g is 9.8.| It acts downward.
The acceleration is called g.| It acts downward.
The point is called P.| The line passes through it.
A ray passes through point C.| It is then bent.
Oranges hold vitamin C.| They keep us well.
The answer is 3.5.| Write it down.
The plant belongs to the genus Rosa L. and is common.| It has thorns.
Escherichia coli, or E. coli, lives in the gut.| It is small.
The bacterium E. coli is common.| Most kinds do no harm.
She asked, “Where is the moon?”| Nobody knew.
He said, “I am here.”| Then he sat down.
“It is hot!” said Meena.| She ran home.
"Is it ripe?" asked the boy.| His mother nodded.
Plants make food (see Chapter 2).| They need light.
(This is a note.)| The text goes on.
Wait...| The bell has not rung.
The air, ... and water are needed.| Both are free.
यह पहला वाक्य है।| यह दूसरा वाक्य है।
पानी जीवन है।| हमें इसे बचाना चाहिए।
The three steps are: (i) heat it, (ii) stir it, and (iii) cool it.| Then drink it.
1. What is sound?| 2. How do bats find food?
The king ruled until 320 B.C. and then died.| His son followed.
It was built in A.D. 320 by a king.| It still stands.
He holds a B.A. and an M.Sc. degree.| He teaches.
He has a Ph.D. in physics.| She has a Ph.D.| Both teach.
J.J. Thomson found the electron.| It is negative.
It is called a p.d. and is measured in volts.| Use a voltmeter.
The temperature is 37 °C.| It is normal.
The gas is CO2.| It turns lime water milky.
Water boils at 100 °C vs. 78 °C for alcohol.| Both are liquids.
The Govt. of India made a law.| Dept. heads signed it.
The height is approx. 20 m.| It is tall.
The min. value is 2 and the max. value is 9.| Plot them.
It is the case of Smith v. Jones.| The court sat.
Gandhiji came back in Jan.| He was ill.
He lived at 12 M.G. Road, Pune.| It is noisy.
Mahatma (M.K.) Gandhi was born in Porbandar.| He led India.
The answer is yes!| Well done!
What?| Why?| Nobody knows.
What is sound?| (a) A wave.| (b) A ray.| (c) A gas.
(a) It is hot.| (b) It is cold.
(i) Heat the tube.| Stir it well.| (ii) Cool it.
• Heat the tube.| Stir it well.| • Cool it.
The steps are:| 1. Heat it.| 2. Cool it.
Q. What is it?| A. It is a bat.
The first term is a1, the second a2, ..., and the last an.| It is a list.
1 + 2 + 3 + ... + 100 = 5050.| Gauss found it.
The salary is (15 – 1) × 500.| It grows each year.
It is shown here (Fig. 10.4).| Look at it.
The reaction (1.31) is fast.| Zinc is made.
There are nine outcomes (Why?)| So, the chance is a third.
He came back after a few years.|These events became famous.| They did.
The price rises by Re 1. so demand falls.
He walks at a speed of 5 km h .| Finding the shop closed, he turns.
Demand is C + I.| Adding the two gives it.
The current is 3 A.| The voltage is 5 V.| Power is 15 W.
The answer is no.| Plants breathe.
Sl. No. 4 is missing.| Roll No. 5 is here.
Auxin was isolated by F.W. Went [2].| It is a hormone [3].
Sound travels.[1]| It needs a medium. [2]| Light does not.
water boils here.| it freezes there.
So a, a + 2d, ... is one.| It goes on ...| So.
It is 3.14 m.| It is long
""".strip().splitlines()
"""Texts as school books print them, with a bar wherever a sentence ends."""
_PIECES = st.sampled_from(
    "The leaf is green. |Mr. Das |(i) |Rs. 50 |5 m. |“Go. Run.” |(see Fig. 2) |What? |... |U.S. |[1] |e.g. |• |a|.| |\n|।".split(
        "|"
    )
)


@pytest.mark.parametrize("text", ENDINGS)
def test_a_text_is_cut_where_its_sentences_end(text):
    assert sentences(text.replace("|", "")) == tuple(sentence.strip() for sentence in text.split("|"))


@pytest.mark.parametrize("text", ENDINGS)
def test_line_breaks_do_not_move_the_ends(text):
    broken = "\n".join(text.replace("|", "").split(" "))
    assert sentences(broken) == sentences(text.replace("|", ""))


@given(st.one_of(st.lists(_PIECES, max_size=30).map("".join), st.text(max_size=200)))
def test_no_letter_is_lost_or_doubled(text):
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())


@given(st.lists(_PIECES, max_size=30).map("".join))
def test_every_sentence_is_a_part_of_the_text(text):
    folded, start = " ".join(text.split()), 0
    for sentence in sentences(text):
        start = folded.index(sentence, start) + len(sentence)


def test_half_a_character_and_signs_beyond_the_first_plane_move_no_end():
    text = "Half \ud83d is left. It is 😀 so. He is 𝒙 here."
    assert sentences(text) == ("Half \ud83d is left.", "It is 😀 so.", "He is 𝒙 here.")


def test_nothing_has_no_sentence():
    assert sentences("") == sentences("   ") == ()


def test_a_long_quotation_is_cut_inside():
    speech = "“" + " ".join(f"I saw river number {n} on my way to the sea." for n in range(12)) + "” He sat down."
    assert len(sentences(speech)) == 13


def test_a_short_quotation_stays_whole():
    assert sentences("She said, “Go home. It is late.” Then she left.") == (
        "She said, “Go home. It is late.”", "Then she left.",
    )  # fmt: skip


def test_long_texts_take_no_longer_than_they_are():
    for text in ("(a) " * 5000, "[1] " * 5000, "“ " * 9000, "... " * 5000, "a. " * 6000, "5 m. " * 4000):
        assert sentences(text)


@pytest.mark.parametrize(("sentence", "asks"), [
    ("Do you know that makers of crisps fill the bags with nitrogen?", False),
    ("Did you know that a kite needs no motor?", False),
    ("Have you noticed that iron rusts in damp air?", False),
    ("Do you know why iron rusts?", True), ("Have you seen a kite?", True), ("Iron rusts in damp air.", False),
])  # fmt: skip
def test_a_statement_in_the_form_of_a_question_does_not_ask(sentence, asks):
    assert only_asks(sentence) is asks
