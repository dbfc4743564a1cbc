"""The endpoint writer: whatever model a server of OpenAI's protocol offers, at home or in a cloud."""

from core.case import Draft, Evidence
from core.domains import Domain
from core.models.endpoint import Endpoint
from core.models.listening import Listen
from core.models.llm_drafts import draft_of
from core.models.prompts import to_answer

_TOKENS = 400
_MOST = 12_000
"""Characters of passages that are sent."""


class EndpointWriter:
    """Asks the model of `endpoint`. It may cost, so nothing is written that nobody has asked for (`on_demand`)."""

    on_demand = True

    def __init__(self, endpoint: Endpoint, listen: Listen | None = None, house: Domain | None = None) -> None:
        self.endpoint, self.listen, self.house = endpoint, listen, house
        self.name = f"endpoint ({endpoint.model} at {endpoint.host})"

    def write(self, query: str, evidence: tuple[Evidence, ...]) -> Draft:
        """A draft from what the evidence keeps; ModelError in one sentence when there is none."""
        written = self.endpoint.write(to_answer(query, evidence, _MOST, house=self.house), _TOKENS, self.listen)
        return draft_of(written, self.name)
