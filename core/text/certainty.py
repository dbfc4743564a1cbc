"""How sure a sentence is: a lesson that says "usually" or "perhaps" holds no sentence with "always"."""

import re

from core.text.words import content

_SURE = re.compile(r"\b(?:always|never|every(?! other)|certainly|definitely|surely|undoubtedly|exactly|no doubt)\b")
_UNSURE = re.compile(r"\b(?:usually|often|sometimes|generally|mostly|mainly|rarely|occasionally|nearly|almost|about)\b")
_DOUBT = re.compile(
    r"\b(?:perhaps|probably|possibly|presumably|not (?:sure|known|certain)|(?:may|might|could) have|maybe"
    r"|(?:some|many|others|historians|scientists|people)(?: of them| people| historians| scientists)? (?:think|believe)"
    r"|(?:is|was|are|were) (?:thought|believed|said|supposed) to)\b"
)


def surer_than(sentence: str, line: str) -> list[str]:
    """The words with which `sentence` is surer than `line`, the sentence of the evidence that is most like it: "always"
    where the line has "often", and the line's "perhaps" where the sentence has no doubt. [] if it is as unsure.
    """
    claim, book = sentence.lower(), line.lower()
    if _DOUBT.search(claim) or not content(line):
        return []
    doubt = _DOUBT.findall(book)
    is_unsure = bool(doubt) or bool(set(_UNSURE.findall(book)) - set(_UNSURE.findall(claim)))
    added = [word for word in _SURE.findall(claim) if word not in book] if is_unsure else []
    return added or doubt[:1]
