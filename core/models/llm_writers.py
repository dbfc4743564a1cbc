"""The writers that are language models: a small one that makes things up and a fluent one, both on this computer, and
whatever a server of OpenAI's protocol offers, at home or in a cloud."""

from abc import ABC, abstractmethod
from pathlib import Path

from core.case import Draft, Evidence
from core.domains import Domain
from core.models.endpoint import Endpoint
from core.models.listening import Listen
from core.models.llm_drafts import LIKELIEST, MORE, Manner, draft_of
from core.models.prompts import to_answer
from core.models.qwen import NAME as QWEN
from core.models.qwen import qwen
from core.models.smollm import NAME as SMOLLM
from core.models.smollm import smollm

SECONDS = 60.0
"""Longest time for one answer of the small model, from its turn on."""
_TOKENS = 100
_MOST = 1_800
"""Characters of passages that it is shown: more would confuse so small a model, and take it long to read."""
_LOCAL_SECONDS = 120.0
_LOCAL_TOKENS = 160
_LOCAL_MOST = 3_600
"""Characters of passages that the fluent one is shown: it reads them all before its first word, which takes seconds."""
_ENDPOINT_TOKENS = 400
_ENDPOINT_MOST = 12_000
"""Characters of passages that a server is sent."""


class SmallWriter:
    """Says in its own words what it makes of the passages. The same question is answered in the same words again.

    Only a computer so slow that the time runs out gets a shorter answer. listen: told the text as it grows.
    """

    name = f"small ({SMOLLM})"

    def __init__(self, listen: Listen | None = None, house: Domain | None = None) -> None:
        self.listen, self.house = listen, house

    def write(self, query: str, evidence: tuple[Evidence, ...]) -> Draft:
        """A draft from what the evidence keeps; ModelError when the model is not installed or writes nothing."""
        asked = to_answer(query, evidence, _MOST, marks=False, house=self.house)
        written = smollm().write(asked, _TOKENS, SECONDS, self.listen)
        return draft_of(written, self.name)


class _OnDemand(ABC):
    """A writer that can be asked again, and writes nothing that nobody has asked for, since it takes time or money."""

    on_demand = True

    def write(self, query: str, evidence: tuple[Evidence, ...]) -> Draft:
        """A draft from what the evidence keeps; ModelError in one sentence when there is none."""
        return self._written(query, evidence, LIKELIEST)

    def again(self, query: str, evidence: tuple[Evidence, ...]) -> tuple[Draft, ...]:
        """What it writes when it is asked twice more and may choose other words."""
        return tuple(self._written(query, evidence, manner) for manner in MORE)

    @abstractmethod
    def _written(self, query: str, evidence: tuple[Evidence, ...], manner: Manner) -> Draft:
        """What it writes in this manner."""


class LocalWriter(_OnDemand):
    """Answers fluently, with citations, and states what no passage says in the same tone.

    It takes seconds, so nothing is written that nobody has asked for (`on_demand`). home: keeps the model's file.
    """

    name = f"local ({QWEN})"

    def __init__(self, home: Path, listen: Listen | None = None, house: Domain | None = None) -> None:
        self.home, self.listen, self.house = home, listen, house

    def _written(self, query: str, evidence: tuple[Evidence, ...], manner: Manner) -> Draft:
        asked = to_answer(query, evidence, _LOCAL_MOST, house=self.house)
        model = qwen(self.home)
        return draft_of(model.write(asked, _LOCAL_TOKENS, _LOCAL_SECONDS, self.listen, manner), self.name)


class EndpointWriter(_OnDemand):
    """Asks the model of `endpoint`. It may cost, so nothing is written that nobody has asked for (`on_demand`)."""

    def __init__(self, endpoint: Endpoint, listen: Listen | None = None, house: Domain | None = None) -> None:
        self.endpoint, self.listen, self.house = endpoint, listen, house
        self.name = f"endpoint ({endpoint.model} at {endpoint.host})"

    def _written(self, query: str, evidence: tuple[Evidence, ...], manner: Manner) -> Draft:
        asked = to_answer(query, evidence, _ENDPOINT_MOST, house=self.house)
        return draft_of(self.endpoint.write(asked, _ENDPOINT_TOKENS, self.listen, manner), self.name)
