"""Reports on a single question, on a chapter or on the evaluation of a bank, each as one HTML file."""

import re


def file_name(kind: str, title: str) -> str:
    """A name for the file of a report that is valid on every system, such as "report-what-is-sound.html"."""
    words = "-".join(re.findall(r"[a-z0-9]+", title.lower()))[:60].strip("-")
    return f"{kind}-{words}.html" if words else f"{kind}.html"
