"""Every form of a citation mark, and every place of it in an answer."""

FORMS = (
    "[{}]", "[{0}, {0}]", "[{0};{0}]", "[{0}-{0}]", "【{}】", "【{}†source】", "[^{}]", "[Source {}]",
    "[source: {}]", "[Passage {}]", "[Doc {}]", "[ID:{}]", "[ref {}]", "(Source {})",
    "[{}, p. 3]", "[{}, page 3]", "[{}: p. 3]", "<sup>{}</sup>", "[[{}]]", "**[{}]**", "[#{}]",
    "(see [{}])", "[{}](https://example.org/a)", "[Source {}: A Book of Kites, page 3]", "\\[{}\\]",
    "(Passage {}, page 2)", "[doc_{}]", "［{}］", "<ref>{}</ref>",
)  # fmt: skip
"""How a mark of one passage is written."""
PLACES = {
    "before the stop": "{0} {m}. {1} {m}. {2} {m}.", "touching": "{0}{m}. {1}{m}. {2}{m}.",
    "behind the stop": "{0}.{m} {1}.{m} {2}.{m}", "behind a blank": "{0}. {m} {1}. {m} {2}. {m}",
    "in front": "{m} {0}. {m} {1}. {m} {2}.", "on a line": "{0}.\n{m}\n{1}.\n{m}\n{2}.\n{m}",
    "on the last": "{0}. {1}. {2} {m}.", "behind the last": "{0}. {1}. {2}. {m}", "on the first": "{0} {m}. {1}. {2}.",
    "in a list": "- {0} {m}.\n- {1} {m}.\n- {2} {m}.", "first in a list": "- {m} {0}.\n- {m} {1}.\n- {m} {2}.",
    "behind bold": "**{0}** {m}. *{1}* {m}. {2} {m}.", "list of sources": "{0}. {1}. {2}.\n\nSources: {m}",
    "before a heading": "{0} {m}. {1} {m}. {2} {m}.\n\n## References\n1. A Book of Kites, page 3",
}  # fmt: skip
