"""The box with the settings that re-run the models when they change, unlike limits."""

from dataclasses import replace

import streamlit as st
from pydantic import SecretStr

from core.errors import UserError
from core.platform.access import may
from core.platform.home import home_folder
from core.settings import BOUNDS, WRITERS, Settings
from core.settings.domains import Domain, domain, domains
from core.text.hedges import PATTERNS, compile_pattern
from core.writers.auto_writer import auto_may_use_model, with_resolved_writer
from core.writers.endpoint_access import allowed_servers, key_for
from core.writers.qwen import INSTALL
from pages.components.shared.safe_display import show
from pages.components.shared.session import LIMITS, SETTINGS

_AUTO = (
    "Auto uses the language model on this computer if it is installed. For a set or a list of many questions it always "
    "uses sentences of the {sources}, because the model takes seconds for each question."
)
_HOW_TO_INSTALL = "Install the model once (1.1 GB), then Auto uses it: `{command}`"
PROFILES = {"bundled": "bundled (no network)", "hub": "hub (needs network)"}
_MODELS = {"local": "the language model on this computer", "endpoint": "the model on the server"}
"""The language models that can be asked, with their labels."""
STAGE_1 = {"rules": "the built-in rules", **_MODELS}
JUDGES = {"none": "nobody", **_MODELS}
NUMBERS = {
    "passages_fetched": ("Passages fetched", "How many passages a search returns."),
    "passages_read": ("Passages read", "How many of the passages fetched are read to write the answer and in stage 2."),
    "cosine_read": ("Minimum similarity to read a passage", "Passages that are less similar are not read."),
    "passages_rechecked": ("Passages read in a recheck", "How many passages a recheck reads."),
    "cosine_rechecked": ("Minimum similarity in a recheck", "A recheck reads no passages that are less similar."),
    "hybrid_share": ("Hybrid share of the score", "How much the hybrid search counts in a passage's score."),
}
"""Label and help of each setting that is a number."""
_OTHER_MODELS = (
    "The models that compare texts. To use others, type two names with + between them: a model that compares sentences "
    "with the passages (NLI), and one that ranks passages. A name is a folder, a name on the model hub, or the word "
    "bundled."
)


def settings_box() -> None:
    """Draw the settings that re-run the models; `chosen_settings` reads them."""
    title, key = "Settings that re-run the models", LIMITS.models_box.key
    box = st.expander(title, icon=":material/autorenew:", key=key, on_change="rerun")
    if box.open:  # a closed box is neither drawn nor sent
        with box:
            _writer_field()
            _measuring_fields()
            _model_fields()


def _measuring_fields() -> None:
    """Draw the choice of the domain, the numbers of a search, and the hedging patterns."""
    if len(domains()) > 1:
        st.selectbox(
            "Domain", list(domains()), **SETTINGS.domain.kept, format_func=str.capitalize,
            help="A domain, such as a school or a shop, sets the assistant's topics, its wording, and what it may "
            "promise. Domains are files in data/domains, and in the folder domains of the run-time folder.",
        )  # fmt: skip
    for name, (label, help_text) in NUMBERS.items():
        st.slider(label, *BOUNDS[name], **SETTINGS.widgets[name].kept, help=help_text)
    st.text_area(
        "Your hedging patterns, one per line", **SETTINGS.patterns.kept, placeholder=r"\bas far as I know\b",
        height=90, help="Regular expressions that also count as hedging, like the built-in patterns.",
    )  # fmt: skip
    st.multiselect(
        "Built-in hedging patterns switched off", list(PATTERNS), **SETTINGS.patterns_out.kept, placeholder="none",
        help="Patterns chosen here do not count as hedging. The Guide page shows what each one looks for.",
    )  # fmt: skip


def _model_fields() -> None:
    """Draw the choices of the models that compare texts, of a server, and of language models that check an answer."""
    if may("models"):
        st.selectbox(
            "Models", list(PROFILES), **SETTINGS.profile.kept, format_func=lambda name: PROFILES.get(name, name),
            accept_new_options=True, help=_OTHER_MODELS,
        )  # fmt: skip
    models = [*_MODELS]
    if may("models") or allowed_servers():
        st.text_input(
            "Server", **SETTINGS.endpoint.kept, placeholder="http://localhost:11434/v1", max_chars=300,
            help="The address of any server that speaks OpenAI's protocol: Ollama, vLLM or a cloud service. The "
            "server can then write answers.",
        )  # fmt: skip
        st.text_input("Its model", **SETTINGS.endpoint_model.kept, placeholder="llama3.2", max_chars=200)
        st.text_input(
            "Its key", **SETTINGS.endpoint_key.kept, type="password", autocomplete="off", max_chars=300,
            help="The key is kept for this visit only and is not stored. A server on this computer needs no key.",
        )  # fmt: skip
    else:
        models.remove("endpoint")
    st.selectbox(
        "Stage 1: who judges the scope", ["rules", *models], **SETTINGS.stage_1.kept, format_func=STAGE_1.get,
        help="Who judges whether an answer is in scope; the limits stay as they are. The model on this computer takes "
        "some seconds for each sentence.",
    )  # fmt: skip
    st.selectbox(
        "Who also judges and corrects", ["none", *models], **SETTINGS.judge.kept, format_func=JUDGES.get,
        help="A language model also judges whether the passages support each sentence, a second or two for each. If an "
        "answer fails, the model rewrites the answer, which goes out only if every check then passes.",
    )  # fmt: skip
    st.toggle(
        "Several drafts", **SETTINGS.consensus.kept,
        help="Two more drafts are written and compared with the answer; “Without the guardrail” marks where the drafts "
        "disagree. Each draft takes as long as the answer.",
    )  # fmt: skip


def _writer_field() -> None:
    """Draw the choice of the writer; its label says which writer `auto` means."""
    sources, has_model = current_domain().words["sources"], real_writer("auto") == "local"
    help_lines = [_AUTO.format(sources=sources)]
    if not has_model and auto_may_use_model():
        help_lines.append(f"Auto currently means sentences of the {sources}: no language model is installed.")
        help_lines.append(_HOW_TO_INSTALL.format(command=INSTALL))
    elif not has_model:
        help_lines.append(f"Auto currently means sentences of the {sources}: this computer is set up that way.")
    labels = {
        "auto": f"Auto: {_MODELS['local'] if has_model else f'sentences of the {sources}'}",
        "extractive": "the library's own sentences", "local": _MODELS["local"], "endpoint": "a model on a server",
    }  # fmt: skip
    st.selectbox("Answer writer", WRITERS, **SETTINGS.writer.kept, format_func=labels.get, help="\n\n".join(help_lines))


def real_writer(writer: str) -> str:
    """The writer that measures if `writer` is selected: for `auto`, the one that can run here; otherwise `writer`
    itself."""
    return with_resolved_writer(Settings(), home_folder()).writer if writer == "auto" else writer


def current_domain() -> Domain:
    """The selected domain; the pages use its words."""
    return domain(SETTINGS.domain.value)


def with_writer(settings: Settings, answer_by: str) -> Settings:
    """`settings` with the writer that is selected in the sidebar; `settings` unchanged if the answer is pasted.

    This matters if a setting was invalid: `settings` then lack the selected writer, and another writer must not answer
    instead. Raises SettingError if the writer is a server without a name.
    """
    writer = SETTINGS.writer.value
    return settings if answer_by == "pasted" else replace(settings, writer=writer, **_endpoint(writer))


def endpoint_key(settings: Settings) -> SecretStr:
    """The key for the server of `settings`: the typed one, else the one in the environment for this server."""
    return key_for(settings.endpoint, SETTINGS.endpoint_key.value) if settings.endpoint else SecretStr("")


def _endpoint(*roles: str) -> dict[str, str]:
    """The settings "endpoint" and "endpoint_model" if one of `roles`, such as the writer, is "endpoint"; else {}."""
    if "endpoint" not in roles:
        return {}
    return {"endpoint": SETTINGS.endpoint.value.strip(), "endpoint_model": SETTINGS.endpoint_model.value.strip()}


def chosen_settings() -> tuple[str, Settings]:
    """The model profile and the settings. Invalid hedging patterns are left out, and an invalid choice of a language
    model means none; an error is drawn for each."""
    measured_by = {
        **{name: SETTINGS.widgets[name].value for name in NUMBERS}, "domain": SETTINGS.domain.value,
        "patterns": _valid_patterns(SETTINGS.patterns.value.splitlines()),
        "patterns_out": tuple(SETTINGS.patterns_out.value),
    }  # fmt: skip
    models = {name: SETTINGS.widgets[name].value for name in ("writer", "stage_1", "judge")}
    try:
        consensus, endpoint = SETTINGS.consensus.value, _endpoint(*models.values())
        settings = Settings(**models, consensus=consensus, **measured_by, **endpoint)
    except UserError as error:
        show(error)
        settings = Settings(**measured_by)
    return SETTINGS.profile.value, settings


def _valid_patterns(lines: list[str]) -> tuple[str, ...]:
    """The lines that are valid hedging patterns; draws an error for each of the others."""
    valid = []
    for pattern in (line.strip() for line in lines if line.strip()):
        try:
            compile_pattern(pattern)
            valid.append(pattern)
        except UserError as error:
            show(error)
    return tuple(valid)
