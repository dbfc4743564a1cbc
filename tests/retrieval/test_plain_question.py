"""A question with words around it is understood as the question that it holds."""

import pytest

from core.retrieval.standalone_question import plain_question

PLAIN = (
    ("I'm 14 and my sister is ill, how far is the moon?", "How far is the moon?"),
    ("Our teacher told us about sea birds. Why do puffins dig holes? I must write it down.", "Why do puffins dig holes?"),
    ("My father says light is fast. What is the speed of light?", "What is the speed of light?"),
    ("I'm in class 9 and confused, what is erosion?", "What is erosion?"),
    ("I want to learn about the deserts of Africa. What can you tell me about them?", "What are the deserts of Africa?"),
    ("Write a short note on tides.", "What are tides?"),
    ("Give a brief account of the Maratha navy.", "What is the Maratha navy?"),
    ("Tell me something about desert camels please", "What are desert camels?"),
    ("Write two sentences about tides.", "What are tides?"),
    ("What does the chapter say about the rain forests?", "What are the rain forests?"),
    ("My exam is near and I am late, could you tell me who built the fort?", "Who built the fort?"),
    ("My little brother wants to know what puffins eat.", "What puffins eat?"),
    ("For my project I have to find out how deep the lake is.", "How deep the lake is?"),
    ("I was wondering if you could explain erosion to me.", "Explain erosion."),
    ("Sir asked us today: how do ferns grow? Thank you!", "How do ferns grow?"),
    ("How deep is the lake? I must tell my sister what we learn.", "How deep is the lake?"),
    ("Give me an account of the topic of tides.", "What are tides?"),
    ("I need help, so please say in which year the dam was built.", "In which year the dam was built?"),
    ("Which of these floats: (a) lead (b) cork?", "Which of these floats: lead or cork?"),
    ("Which of the following is a gas? (a) iron (b) sulphur (c) neon", "Which of the following is a gas: iron, sulphur or neon?"),
)  # fmt: skip
AS_IT_STANDS = (
    "How far is the moon?",
    "If the air is cold, how fast is sound?",
    "I have 3 mangoes and eat 2. How many are left?",
    "I drop a stone from a roof, how long does it take?",
    "(a) Define light. (b) Explain sound.",
    "What is light? What is sound? I want to know.",
    "Why do we need to eat food?",
    "My knee hurts, which medicine should I take?",
    "Tell me about it",
    "Tell me about camels",
    "Describe Goa.",
    "Summarize the chapter",
    "Say something about Goa.",
    "What is the use of salt?",
    "Copper is red. What is it used for?",
)


@pytest.mark.parametrize(("text", "question"), PLAIN)
def test_words_around_a_question_are_left_out(text, question):
    assert plain_question(text) == question


@pytest.mark.parametrize("text", AS_IT_STANDS)
def test_a_question_that_needs_its_words_keeps_them(text):
    assert plain_question(text) == ""
