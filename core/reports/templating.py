"""The templates of all reports: HTML, Markdown and text for a terminal."""

import base64
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"), undefined=StrictUndefined,
    autoescape=select_autoescape(disabled_extensions=("txt", "md"), default=True), trim_blocks=True, lstrip_blocks=True,
)  # fmt: skip
"""Escapes every value in HTML as text; an undefined name is an error."""
TEMPLATES.filters |= {"px": "{:.1f}".format, "base64": lambda data: base64.b64encode(data).decode()}
