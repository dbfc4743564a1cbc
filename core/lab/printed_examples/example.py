"""The class of which every printed example of the source documents is an object."""

from dataclasses import dataclass, field

from core.case import Context, Question, Scope, Turn

COOKIES = "How do I make chocolate chip cookies?"
MODEL = "language model: "
"""The first words of a `difference` that a better language model would remove."""


@dataclass(frozen=True, kw_only=True)
class Example:
    """One example of a source document, run with the bundled models.

    printed: the outcome that the document prints, in its own words. ours: the outcome here under the preset of the
    document; "" if it is the printed one. difference: why `ours` is not the printed outcome; "" if it is. It starts
    with MODEL if a better language model would remove the difference. nli: True if the outcome depends on the NLI
    model, so that it must be read again after training.

    query, answer, scope, history, tools: the question, as in `Question`; history has (role, text) for each turn, tools
    the results of tools. contexts: the passages that the search found, with the scores that the document prints; a
    score that it does not print is None and is measured. changes: thresholds of the example, as
    `check.threshold=value`. message: True if the outcome is the text that the user gets.
    """

    printed: str
    query: str
    ours: str = ""
    difference: str = ""
    nli: bool = False
    answer: str | None = None
    scope: Scope = field(default_factory=Scope)
    history: tuple[tuple[str, str], ...] = ()
    tools: tuple[str, ...] = ()
    contexts: tuple[Context, ...] = ()
    changes: tuple[str, ...] = ()
    message: bool = False

    @property
    def outcome(self) -> str:
        """The outcome that is expected here under the preset of the document: `ours`, or `printed` if `ours` is ""."""
        return self.ours or self.printed

    @property
    def question(self) -> Question:
        """This example as a Question, with its answer, scope, contexts, tool results and history."""
        return Question(
            query=self.query, answer=self.answer, scope=self.scope, contexts=self.contexts, tool_results=self.tools,
            history=tuple(Turn(role=role, text=text) for role, text in self.history),
        )  # fmt: skip


def scored(texts: tuple[str, ...], score: float | None = None) -> tuple[Context, ...]:
    """Each text as a context with this score; None leaves it to be measured."""
    return tuple(Context(text=text, score=score) for text in texts)
