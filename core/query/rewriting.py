"""A query written anew when a search found too little (seed B's refinement)."""

import re
from collections import Counter
from difflib import get_close_matches

from core.case import Evidence
from core.retrieval.lexical import Lexical
from core.text.words import STOPWORDS, content, stem, words

_SCAFFOLD = re.compile(
    r"^(?:(?:hi|hello|please|kindly|so|ok|okay)[\s,]+)*"
    r"(?:(?:can|could|would|will) you (?:please )?|i (?:want|would like|need) to know |do you know )?"
    r"(?:please )?(?:(?:tell|teach|show) me (?:about )?|explain(?: to me)?(?: about)? |describe )?",
    re.IGNORECASE,
)


def mended(query: str, lexical: Lexical) -> str:
    """`query` without its polite frame, and with words that the library does not know spelt as it spells them."""
    bare = _SCAFFOLD.sub("", query, count=1).strip() or query
    for word in words(bare):
        if len(word) > 4 and word not in STOPWORDS and stem(word) not in lexical.words:
            close = get_close_matches(word, lexical.spellings(word[0], len(word)), n=1, cutoff=0.8)
            if close:
                bare = re.sub(rf"\b{re.escape(word)}\b", close[0], bare, flags=re.IGNORECASE)
    return bare


def expansion(query: str, evidence: tuple[Evidence, ...], lexical: Lexical, count: int = 6) -> str:
    """Words of the two best passages that are rare in the library, to widen a search; "" without passages."""
    asked = set(content(query))
    found = Counter(w for e in evidence[:2] for w in content(e.passage.text) if w not in asked and w.isalpha())
    ranked = sorted(found, key=lambda w: -found[w] * lexical.idf(w))
    return " ".join(ranked[:count])
