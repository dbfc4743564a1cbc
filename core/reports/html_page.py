"""Self-contained HTML files for print, without scripts: the templates beside this file and their environment."""

import base64
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"), autoescape=True, undefined=StrictUndefined,
    trim_blocks=True, lstrip_blocks=True,
)  # fmt: skip
"""Escapes every value as text; an undefined name is an error."""
TEMPLATES.filters |= {"px": "{:.1f}".format, "base64": lambda data: base64.b64encode(data).decode()}
