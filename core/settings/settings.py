"""Settings: options that change a measurement. Unlike a threshold, a change runs the models again."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from core.settings.domains import domains

WRITERS = ("auto", "extractive", "small", "local", "endpoint")
"""Who writes a draft: the passages' own sentences, a small or a fluent local model, or the model of a server.

`auto` stands for `local` or `extractive`, see core/writers/writer_choice.py.
"""
STAGE_1 = ("rules", "local", "endpoint")
"""Who judges at stage 1 whether an answer acts against the organisation's interest."""
JUDGES = ("none", "local", "endpoint")
"""The language model that judges whether the passages support each sentence, besides the regular checks."""


class SettingError(ValueError):
    """A setting has an invalid value; the message says what is allowed."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Everything that affects a measurement.

    passages_fetched: number of passages per search. patterns: hedging patterns added to the built-in ones.
    domain: name of a domain, see core/settings/domains.py. writer, stage_1, judge: one of WRITERS, STAGE_1, JUDGES.
    consensus: True if a language model writes three drafts for comparison.
    endpoint, endpoint_model, endpoint_seconds: address, model and timeout of the server for any of them. Its key is not
    a setting, because settings are stored.
    """

    passages_fetched: int = 8
    patterns: tuple[str, ...] = ()
    domain: str = "school"
    writer: str = "auto"
    stage_1: str = "rules"
    judge: str = "none"
    consensus: bool = False
    endpoint: str = ""
    endpoint_model: str = ""
    endpoint_seconds: float = 60.0

    def __post_init__(self) -> None:
        if not 1 <= self.passages_fetched <= 20:
            raise SettingError(f"passages_fetched must be from 1 to 20, got {self.passages_fetched}.")
        if len(self.patterns) > 50:
            raise SettingError(f"At most 50 patterns of your own are allowed, got {len(self.patterns)}.")
        for name, allowed in (("domain", domains()), ("writer", WRITERS), ("stage_1", STAGE_1), ("judge", JUDGES)):
            if (value := getattr(self, name)) not in allowed:
                raise SettingError(f"{name} must be one of {', '.join(allowed)}, got {value!r}.")
        if "endpoint" in (self.writer, self.stage_1, self.judge):
            self._check_endpoint()

    def _check_endpoint(self) -> None:
        """Raise SettingError if the server or its model is not named in a usable way."""
        hint = "type an address such as http://localhost:11434/v1"
        try:
            url = urlsplit(self.endpoint)
            is_address = url.scheme in ("http", "https") and bool(url.hostname) and (url.port or 1) > 0
        except ValueError:
            is_address = False
        if not is_address or any(c.isspace() or not c.isprintable() for c in self.endpoint) or len(self.endpoint) > 300:
            raise SettingError(f"endpoint must be the address of a server, got {self.endpoint!r:.80}; {hint}.")
        if url.username or url.password or url.query or url.fragment:
            raise SettingError(f"endpoint must hold no user, key or question mark, since it is stored; {hint}.")
        if not self.endpoint_model.strip() or len(self.endpoint_model) > 200 or not self.endpoint_model.isprintable():
            raise SettingError(
                f"endpoint_model must name a model of the server, got {self.endpoint_model!r:.80}; type its name."
            )
        if not 1 <= self.endpoint_seconds <= 600:
            raise SettingError(f"endpoint_seconds must be from 1 to 600, got {self.endpoint_seconds}.")
