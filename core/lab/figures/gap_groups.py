"""Measures how well each method of grouping unanswerable questions by topic reproduces groups made by hand.

`python -m core.lab.figures.gap_groups` prints the figures. Limits are chosen on the questions in CHOOSING and evaluated
on those in COUNTED.
"""

from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np

from core.journal.coverage_gaps import TOGETHER, clusters_of
from core.text.words import content

CHOOSING = (
    ("When did the First World War begin?", "What started World War 1?", "causes of the first world war"),
    ("Who won the Second World War?", "How did World War II end?"),
    ("How do volcanoes erupt?", "Why does a volcano erupt?", "What makes lava come out of a volcano?"),
    ("What is an earthquake?", "Why do earthquakes happen?", "How is the strength of an earthquake measured?"),
    ("What is the capital of France?", "Which city is the capital of France?"),
    ("What is the capital of Japan?",),
    ("How do I bake a chocolate cake?", "Give me a recipe for chocolate cake", "chocolate cake ingredients"),
    ("What is DNA made of?", "What does DNA stand for?", "Explain the structure of DNA"),
    ("What is a chromosome?", "How many chromosomes do humans have?"),
    ("Who was Mahatma Gandhi?", "When was Gandhi born?", "What did Gandhi do in the Salt March?"),
    ("How does a computer virus spread?",),
    ("How do vaccines work?", "What is in a vaccine?", "Why do we get vaccinated?"),
    ("What is the quadratic formula?", "How do I solve a quadratic equation?", "roots of a quadratic equation"),
    ("How do I find the area of a circle?", "What is the formula for the area of a circle?"),
    ("What is the circumference of a circle?",),
    ("Who wrote Romeo and Juliet?", "What is Romeo and Juliet about?"),
    ("Which team won the cricket world cup in 2011?", "Who won the 2011 cricket world cup?"),
    ("What is the weather like in Delhi today?", "Will it rain in Delhi tomorrow?"),
    ("How far is the moon?", "What is the distance from the earth to the moon?"),
    ("Why does the moon have phases?", "What causes the phases of the moon?"),
)
COUNTED = (
    ("What was the French Revolution?", "Why did the French Revolution begin?", "causes of the revolution in France"),
    ("What was the Russian Revolution?", "Who led the revolution in Russia in 1917?"),
    ("What is democracy?", "How does a democracy work?", "Why do people want democracy?"),
    ("How is a rainbow formed?", "Why do we see rainbows after rain?", "What makes the colours of a rainbow?"),
    ("What is a black hole?", "How do black holes form?", "Can light escape from a black hole?"),
    ("What is gravity?", "Who discovered gravity?", "What is Newton's law of gravitation?"),
    ("What are Newton's three laws of motion?",),
    ("How does the heart pump blood?", "What does the heart do?", "How many chambers does the human heart have?"),
    ("What is blood made of?", "What are the components of blood?"),
    ("How do bees make honey?", "Where does honey come from?"),
    ("What is climate change?", "Why is the earth getting warmer?", "What causes global warming?"),
    ("What is the Pythagorean theorem?", "State Pythagoras' theorem", "How do I find the hypotenuse?"),
    ("How do I find the volume of a sphere?", "formula for the volume of a sphere"),
    ("What is the surface area of a cone?",),
    ("Who is the prime minister of India?", "What is the name of India's prime minister?"),
    ("Who is the president of the United States?", "Who is the US president now?"),
    ("Tell me a joke", "Do you know a joke?"),
    ("Which phone should I buy?", "What is the best mobile phone under 20000 rupees?"),
    ("How do I lose weight quickly?", "What diet helps to lose weight?"),
    ("What is electric current?", "How does electricity flow in a wire?", "What is the unit of current?"),
    ("What is Ohm's law?", "State the law of Ohm for a conductor"),
    ("How do magnets work?", "What is a magnetic field?"),
    ("Who built the Taj Mahal?", "When was the Taj Mahal built?", "Where is the Taj Mahal?"),
    ("What is the tallest mountain in the world?", "How high is Mount Everest?"),
    ("What is a noun?", "Give three examples of nouns"),
    ("What is a verb?", "What is the past tense of go?"),
)
"""Groups of questions: each line has the questions that one further chapter would answer."""


def pairs(groups: Sequence[Sequence[str]]) -> set[frozenset[str]]:
    """All pairs of questions in the same group."""
    return {frozenset(pair) for group in groups for pair in combinations(group, 2)}


def f1_score(
    topics: Sequence[Sequence[str]], group_questions: Callable[[list[str]], Sequence[Sequence[str]]]
) -> dict[str, float]:
    """The agreement of two groupings: precision, recall and F1 of the pairs of questions that `group_questions` puts
    into one group, compared with the pairs within the groups of `topics`.

    "pairs" is the number of pairs in `topics`, "questions" the number of questions.
    """
    questions = [question for topic in topics for question in topic]
    true_pairs, predicted_pairs = pairs(topics), pairs(group_questions(questions))
    right = len(true_pairs & predicted_pairs)
    precision, recall = right / len(predicted_pairs) if predicted_pairs else 1.0, right / len(true_pairs)
    f1 = 2 * precision * recall / (precision + recall) if right else 0.0
    return {"precision": precision, "recall": recall, "f1": f1, "pairs": len(true_pairs), "questions": len(questions)}


def by(encode: Callable[[list[str]], np.ndarray], together: float) -> Callable[[list[str]], list[list[str]]]:
    """A function that groups questions by the vectors of `encode`. together: minimum cosine within a group."""
    return lambda questions: [[questions[n] for n in places] for places in clusters_of(encode(questions), together)]


def by_words(texts: list[str]) -> np.ndarray:
    """Unit vectors of the texts' content words, in which rare words weigh more; a baseline without a model."""
    text_words = [set(content(text)) for text in texts]
    words = sorted(set().union(*text_words))
    counts = np.array([[word in text for word in words] for text in text_words], dtype=float)
    vectors = counts * np.sqrt(np.log(1 + (len(texts) - counts.sum(0) + 0.5) / (counts.sum(0) + 0.5)))
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)


def best_threshold(encode: Callable[[list[str]], np.ndarray]) -> float:
    """The minimum cosine within a group that has the best F1 on CHOOSING, on a grid of hundredths."""
    grid = [round(n / 100, 2) for n in range(10, 91)]
    return max(grid, key=lambda together: f1_score(CHOOSING, by(encode, together))["f1"])


def main() -> None:
    from core.models.embedder import bundled_embedder

    vectors: dict[str, np.ndarray] = {}
    questions = [question for topic in (*CHOOSING, *COUNTED) for question in topic]
    vectors.update(zip(questions, bundled_embedder().encode(questions), strict=True))
    for name, encode in (("meaning", lambda texts: np.array([vectors[t] for t in texts])), ("words", by_words)):
        limits = dict.fromkeys((best_threshold(encode), *((TOGETHER,) if name == "meaning" else ())))
        for limit in limits:
            print(name, limit, "choosing", f1_score(CHOOSING, by(encode, limit)))
            print(name, limit, "counted", f1_score(COUNTED, by(encode, limit)))


if __name__ == "__main__":
    main()
