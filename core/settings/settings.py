"""Settings: options that change a measurement. Unlike a threshold, a change runs the models again."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from core.errors import UserError
from core.settings.domains import domains
from core.text.hedges import PATTERNS

WRITERS = ("auto", "extractive", "local", "endpoint")
"""Who writes a draft: the passages' own sentences, the language model on this computer, or the model of a server.

`auto` stands for `local` or `extractive`, see core/writers/auto_writer.py.
"""
STAGE_1 = ("rules", "local", "endpoint")
"""Who judges at stage 1 whether an answer acts against the organisation's interest."""
JUDGES = ("none", "local", "endpoint")
"""The language model that judges whether the passages support each sentence, besides the regular checks."""
RETIRED = {"consensus_with": (), "second_endpoint": "", "second_endpoint_model": ""}
"""Settings of earlier versions with the only values that a stored measurement may have to stay valid."""
BOUNDS: Mapping[str, tuple[float, float]] = {
    "passages_fetched": (1, 20), "passages_read": (1, 20), "cosine_read": (-1.0, 1.0), "passages_rechecked": (1, 20),
    "cosine_rechecked": (-1.0, 1.0), "hybrid_share": (0.0, 1.0),
}  # fmt: skip
"""The smallest and the largest value of each number among the settings."""


class SettingError(UserError):
    """A setting has an invalid value; the message says what is allowed."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Everything that affects a measurement.

    passages_fetched: number of passages per search. passages_read, cosine_read: maximum number and minimum cosine of
    the passages that a writer and stage 2 read; passages_rechecked, cosine_rechecked: the same for a recheck.
    hybrid_share: weight of the hybrid score in the score of a passage, 0 to 1; the reranker has the rest. patterns:
    hedging patterns added to the built-in ones. patterns_out: names of the built-in patterns that are switched off.
    domain: name of a domain, see core/settings/domains.py. writer, stage_1, judge: one of WRITERS, STAGE_1, JUDGES.
    consensus: True if the writer writes two more drafts for comparison. endpoint, endpoint_model, endpoint_seconds:
    address, model and timeout of the server if one is used. The API key is not a setting, because settings are stored.
    """

    passages_fetched: int = 8
    passages_read: int = 5
    cosine_read: float = 0.4
    passages_rechecked: int = 10
    cosine_rechecked: float = 0.3
    hybrid_share: float = 0.0
    patterns: tuple[str, ...] = ()
    patterns_out: tuple[str, ...] = ()
    domain: str = "school"
    writer: str = "auto"
    stage_1: str = "rules"
    judge: str = "none"
    consensus: bool = False
    endpoint: str = ""
    endpoint_model: str = ""
    endpoint_seconds: float = 60.0

    def __post_init__(self) -> None:
        for name, (low, high) in BOUNDS.items():
            if not low <= (value := getattr(self, name)) <= high:
                raise SettingError(f"{name} must be from {low} to {high}, got {value}.")
        for value in self.patterns_out:
            if value not in PATTERNS:
                raise SettingError(f"patterns_out must hold only {', '.join(PATTERNS)}, got {value!r}.")
        if len(self.patterns) > 50:
            raise SettingError(f"At most 50 patterns of your own are allowed, got {len(self.patterns)}.")
        if self.writer == "small":
            raise SettingError("The writer small is no longer part of this program; use local, or extractive.")
        for name, allowed in (("domain", domains()), ("writer", WRITERS), ("stage_1", STAGE_1), ("judge", JUDGES)):
            if (value := getattr(self, name)) not in allowed:
                raise SettingError(f"{name} must be one of {', '.join(allowed)}, got {value!r}.")
        if "endpoint" in (self.writer, self.stage_1, self.judge):
            self._check_endpoint()

    def reach(self, round_name: str) -> tuple[int, float]:
        """Maximum number and minimum cosine of the passages that a writer and stage 2 read in this round."""
        if round_name == "rechecked":
            return self.passages_rechecked, self.cosine_rechecked
        return self.passages_read, self.cosine_read

    def _check_endpoint(self) -> None:
        """Raise SettingError if the server or its model is not named in a usable way."""
        address, model = self.endpoint, self.endpoint_model
        hint = "type an address such as http://localhost:11434/v1"
        try:
            url = urlsplit(address)
            is_address = url.scheme in ("http", "https") and bool(url.hostname) and (url.port or 1) > 0
        except ValueError:
            is_address = False
        if not is_address or any(c.isspace() or not c.isprintable() for c in address) or len(address) > 300:
            raise SettingError(f"endpoint must be the address of a server, got {address!r:.80}; {hint}.")
        if url.username or url.password or url.query or url.fragment:
            raise SettingError(f"endpoint must hold no user, key or question mark, since it is stored; {hint}.")
        if not model.strip() or len(model) > 200 or not model.isprintable():
            raise SettingError(f"endpoint_model must name a model of the server, got {model!r:.80}; type its name.")
        if not 1 <= self.endpoint_seconds <= 600:
            raise SettingError(f"endpoint_seconds must be from 1 to 600, got {self.endpoint_seconds}.")
