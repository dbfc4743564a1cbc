"""The small writer: SmolLM2-135M-Instruct, which needs no network. It does make things up."""

from core.case import Draft, Evidence
from core.models.llm_drafts import Listen, draft_of
from core.models.prompts import to_answer
from core.models.smollm import NAME, smollm

SECONDS = 60.0
"""Longest time for one answer."""
_TOKENS = 100
_MOST = 1_800
"""Characters of passages that it is shown: more would confuse so small a model, and take it long to read."""


class SmallWriter:
    """Says in its own words what it makes of the passages. The same question is answered in the same words again.

    Only a computer so slow that the time runs out gets a shorter answer. listen: told the text as it grows.
    """

    name = f"small ({NAME})"

    def __init__(self, listen: Listen | None = None) -> None:
        self.listen = listen

    def write(self, query: str, evidence: tuple[Evidence, ...]) -> Draft:
        """A draft from what the evidence keeps; ModelError when the model is not installed or writes nothing."""
        written = smollm().write(to_answer(query, evidence, _MOST, marks=False), _TOKENS, SECONDS, self.listen)
        return draft_of(written, self.name)
