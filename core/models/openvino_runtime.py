"""OpenVINO, imported here and nowhere else, without the part of it that calls out."""

import sys
from typing import Any

# On import it would post to a host of analytics, under an id of this computer that lasts; what cannot be imported
# is left out, by OpenVINO and by NNCF alike.
sys.modules["openvino_telemetry"] = None  # type: ignore[assignment]

import openvino  # noqa: E402

__all__ = ["genai", "openvino"]


def genai() -> Any:
    """openvino_genai, which runs language models; ImportError where the writer `local` is not installed."""
    import openvino_genai

    return openvino_genai
