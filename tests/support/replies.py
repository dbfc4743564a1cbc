"""Replies compared: what depends on when and how fast a question was judged is left out."""


def timeless(reply):
    """The reply as JSON without its times, in its parts too; absent fields stay absent."""
    logs = {
        name: [{key: value for key, value in entry.items() if key != "timestamp"} for entry in reply[name]]
        for name in ("guardrailLog", "confidenceLog") if name in reply
    }  # fmt: skip
    parts = {"parts": [timeless(part) for part in reply["parts"]]} if "parts" in reply else {}
    return {key: value for key, value in {**reply, **logs, **parts}.items() if key != "seconds"}
