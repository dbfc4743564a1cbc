"""For educators: the questions that the exercises of a chapter print, each in a form that can be asked by itself."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from core.case import Passage
from core.pdf.exercises import ASKING, TO_TEACHERS
from core.text.questions import ORDER, VERB, WH
from core.text.sentences import sentences
from core.text.words import STOPWORDS
from core.words import joined

_NUMBER = re.compile(
    r"(?:Q(?:uestion)?\.?\s*)?(?:(\d{1,2})\.)?(\d{1,2})(?:\s?\*?[.)]|(?<=\d\.\d)|(?<=\d\.\d\d))(?:\s+|$)"
)
"""The number of an exercise: "4.", "4)", "20*.", "Q. 4)" or "2.7"."""
_LATE_NUMBER = re.compile(r"\s(\d{1,2})\.$")
"""The number of the next exercise, read at the end of the line before it."""
_MISSING = 2
"""Exercises whose number may be unreadable between two others."""
_OUTLINES = tuple(
    map(str.split, ("i ii iii iv v vi vii viii ix x xi xii xiii xiv xv", "a b c d e f g h i j k l", "A B C D E F"))
)
_ASIDE = re.compile(
    r"\[\s*(?:Hint|Note)\b[^\]]*\]?|\((?:Hint|Note)\s*:[^)]*\)|^(?:Fig|Table)\.?\s*\d[\d.]*$|^\W*$|^Credit\b.*", re.I
)
"""Text among exercises that asks nothing: hints, captions, signs."""
_TITLE_REST = re.compile(r"The Big|[A-Z]{4,}(?: [A-Z]{2,}){0,3}")
"""A piece of a title that is read beside the exercises."""
_TITLE_WORDS = 6
_ENDING = re.compile(r"\b(?:readings?|references|websites?)\b|^a note to the reader|^\*", re.IGNORECASE)
"""The first line of the text behind the exercises of a chapter."""
_TO_DO = re.compile(r"\b(?:activit(?:y|ies)|projects?|extended learning|crossword)\b", re.IGNORECASE)
_BLANK = re.compile(r"(?:_{2,}|\.{4,}|…{2,})(?:\s?\.(?=\s|$))?")
_LOST_BLANK = re.compile(
    r"(?:=|\bis|\bcalled|\bor equal to) ?\.(?=\s|$)|\bcomplete the (?:following )?statements?\b", re.I
)
"""A drawn line, of which only the text around it can be read."""
_TRUE_OR_FALSE = re.compile(r"\(\s*T\s*/\s*F\s*\)|\btrue\b.{1,40}\bfalse\b", re.IGNORECASE)
_TABLE = re.compile(r"\bmatch\b.{0,40}\b(?:columns?|following|items|lists?)\b|\bfollowing table\b", re.IGNORECASE)
_CLUE = re.compile(r"[^?]*\(\d{1,2}(?:, ?\d{1,2})*\)(?:$| Across\b| Down\b)")
"""A clue of a crossword, with the number of its letters."""
_HANDS_ON = re.compile(
    r"(?:draw|sketch|plot|make)\b(?!.*\b(?:explain|describe|why|what|which|how)\b)"
    r"|(?:prepare|design|collect|visit|imagine|interview|organi[sz]e|conduct|perform|paste"
    r"|you have been|if you could)\b",
    re.IGNORECASE,
)
"""The beginning of what asks for hands, or for a fancy, and not for an answer from the book."""
_EQUATION = re.compile(
    r"^write\b[^.?]*\bbalanced\b[^.?]*\bequations?\b|^balance\b|→|\binto chemical equations?\b", re.I
)
_REFERENCE = re.compile(
    r"\b(?:Fig(?:ure)?s?|Tables?|Activity|Examples?|Exercises?|Eq(?:uation)?s?|Section|Chapter)\.? ?\(?\d[\d.]*\)?"
    r"|\b1\d{3}\b|\b20\d\d\b|\b\d+(?:-| )?words?\b|\(\d\)",
    re.IGNORECASE,
)
"""Numbers that are no data: places in the book, years, the length of an answer."""
_DATA = re.compile(r"(?<![A-Za-z\d])\d")
_WHY = re.compile(r"\bwhy\b", re.IGNORECASE)
_COMPUTES = re.compile(
    r"(?:find|calculate|determine|measure|check whether|how many|which term|for what value|if|show)\b", re.I
)
_CHOOSE = re.compile(
    r"[^.?]*\b(?:tick|choose|select|encircle)\b[^.?]{0,40}\b(?:answer|option|choice|one)s?\b[^.?]*[.:]?", re.I
)
_FOLLOWING = re.compile(
    r"(?:(?: each of)? (?:the )?followings?(?: (?!and\b|or\b)[\w-]+){0,3}|(?: given)? below)\s*[:.;–—-]*$",
    re.IGNORECASE,
)
_FOLLOWING_WITHIN = re.compile(r"\bthe following(?: (?:terms|words|concepts|processes))?\b", re.IGNORECASE)
_ANSWER_THESE = re.compile(
    r"(?:(?:answer|attempt)\b[^:.?]*\b(?:questions?|following)|fill in the blanks?)\b[^:.?]*[:.]\s*", re.IGNORECASE
)
_ASKS = re.compile(rf"(?:{WH}|in wh\w+|{VERB}|{ORDER}|suggest)\b", re.IGNORECASE)
"""The beginning of a sentence that asks."""
_OPEN_WORDS = STOPWORDS | {"about", "called", "means", "through"}
"""The last words of a stem that lacks its end."""
_OPTION_WORDS = 12
_ORDER_WORDS = 4  # "Give reasons." needs the statement that follows it


@dataclass(frozen=True, kw_only=True)
class PrintedQuestion:
    """A question of an exercise.

    number: as printed, with the letter of its part: "4", "2.7", "13 (b)"; "" if it has none. printed: its text. asked:
    the text to ask; "" if it cannot be asked. left_out: why not, in a few words; "" if it is asked. page, label: where
    its exercise begins: the page of the file, from 1, and the number printed on it ("" if unknown). section: the title
    above it.
    """

    number: str
    printed: str
    asked: str = ""
    page: int
    label: str = ""
    section: str = ""
    left_out: str = ""


_TO_BE_DONE = "something to do"


class _Reader:
    """Puts the sentences of exercises together to numbered exercises."""

    def __init__(self) -> None:
        self.found: list[PrintedQuestion] = []
        """The exercises so far, each with its sentences, one a line; under a title such as "Activities" it is left
        out.
        """
        self.section, self.last = "", (0, 0)
        self.begin_list("", to_do=False, ended=False)

    def begin_list(self, section: str, *, to_do: bool, ended: bool) -> None:
        """Begin a list of exercises under a title. ended: True if what follows is no exercise."""
        self.before = self.section, self.last
        self.section, self.to_do, self.ended = section, to_do, ended
        self.last, self.is_open = (0, 0), False

    def interrupt(self) -> None:
        """Read text that is no exercise. The list may go on behind it, as behind a summary in a box."""
        self.is_open, self.to_do, self.ended = False, False, False

    def read(self, sentence: str, page: int, label: str) -> None:
        text = _ASIDE.sub("", sentence).strip()
        number = _NUMBER.match(text)
        if not number and _is_title(text):
            ended = bool(_ENDING.search(text) or TO_TEACHERS.search(text))
            self.begin_list(text.strip(" ?"), to_do=bool(_TO_DO.search(text) and not ASKING.search(text)), ended=ended)
            return
        place = (int(number[1] or 0), int(number[2])) if number else (0, 0)
        if self.last == (0, 0) and self.before[1] == (place[0], place[1] - 1) != (0, 0):
            self.section, self.last = self.before  # an activity stood within the list
            self.to_do = self.ended = False
        if self.ended or not text:
            return
        if number and self._follows(place):
            self.last = place
            self._begin(".".join(filter(None, number.groups())), text[number.end() :], page, label)
        elif self.is_open and not _TITLE_REST.fullmatch(text):
            self._continue(text, page, label)
        elif self.section and text.endswith("?"):
            self._begin("", text, page, label)
            self.is_open = False  # without numbers each question stands by itself

    def _follows(self, place: tuple[int, int]) -> bool:
        """True if an exercise may have this number, (chapter or 0, number), here: the first of a list, or a later
        one."""
        return place[1] == 1 or (place[0] == self.last[0] and 0 < place[1] - self.last[1] <= 1 + _MISSING)

    def _begin(self, number: str, text: str, page: int, label: str) -> None:
        self.is_open = True
        left_out = _TO_BE_DONE if self.to_do else ""
        exercise = PrintedQuestion(
            number=number, printed="", page=page, label=label, section=self.section, left_out=left_out
        )
        self.found.append(exercise)
        self._continue(text, page, label)

    def _continue(self, text: str, page: int, label: str) -> None:
        late = _LATE_NUMBER.search(text)
        is_next = bool(late) and self.last == (0, int(late[1]) - 1)
        more = text[: late.start()] if is_next else text
        self.found[-1] = replace(self.found[-1], printed=f"{self.found[-1].printed}\n{more}".strip())
        if is_next:
            self.last = (0, int(late[1]))
            self._begin(late[1], "", page, label)


def printed_questions(passages: Sequence[Passage]) -> list[PrintedQuestion]:
    """The questions in the exercises of a document, in order. passages: all of the document, in order."""
    reader = _Reader()
    for passage in passages:
        if passage.kind != "exercise":
            reader.interrupt()
            continue
        for sentence, page in zip(passage.sentences, passage.pages, strict=True):
            reader.read(sentence, page, passage.label(page))
    return [question for exercise in reader.found if exercise.printed for question in _questions(exercise)]


def _is_title(text: str) -> bool:
    """True if a line names what follows: exercises, texts for teachers, something to do or to read."""
    if _ENDING.search(text):
        return True
    is_line = len(text.split()) <= _TITLE_WORDS and text[:1].isupper() and text[-1:] not in ".!,;"
    return is_line and any(title.search(text) for title in (ASKING, TO_TEACHERS, _TO_DO)) and not _ASKS.match(text)


def _questions(exercise: PrintedQuestion) -> Iterator[PrintedQuestion]:
    """Yield the questions of one exercise: the exercise itself, or its lettered parts."""
    lead, parts = _parts(exercise.printed)
    to_do = bool(exercise.left_out) or (bool(parts) and bool(_TO_DO.search(lead)) and len(lead.split()) <= _TITLE_WORDS)
    whole = " ".join(exercise.printed.split())
    if not parts:
        for text in _unlettered(whole):
            yield _question(exercise, "", text, text, to_do)
    elif not _parts(parts[0][1])[1] and _is_choice(lead, [text for _, text in parts]):
        yield _question(exercise, "", whole, _stem(lead, parts), to_do)
    else:
        for name, text in parts:
            stem, options = _parts(text)
            is_choice = options and (_CHOOSE.search(lead) or _is_choice(stem, [option for _, option in options]))
            asked = _stem(stem, options) if is_choice else _joined(lead, " ".join(text.split()))
            yield _question(exercise, name, " ".join((_ANSWER_THESE.sub("", lead), text)), asked, to_do)


def _unlettered(text: str) -> list[str]:
    """The questions of an exercise without letters: those after "Answer the following questions:", or its text."""
    order = _ANSWER_THESE.match(text)
    listed = re.split(r"(?<=\?)\s+", text[order.end() :].strip()) if order else []
    return listed if len(listed) > 1 else [text]


def _parts(text: str) -> tuple[str, list[tuple[str, str]]]:
    """The text before the lettered parts of an exercise, and letter and text of each; no parts if it has none.

    Either the first part begins a line, or all others do: "for (i) distant and (ii) near vision" has no parts.
    """
    found = [starts for labels in _OUTLINES if len(starts := _starts(text, labels)) > 1]
    if not found:
        return " ".join(text.split()), []
    starts = min(found, key=lambda labelled: labelled[0][1])
    ends = [start for _, start, _ in starts[1:]] + [len(text)]
    return " ".join(text[: starts[0][1]].split()), [
        (label, text[start:end].strip()) for (label, _, start), end in zip(starts, ends, strict=True)
    ]


def _starts(text: str, labels: Sequence[str]) -> list[tuple[str, int, int]]:
    """Each of `labels` that is found in order, with the places where it and the text behind it begin."""
    starts: list[tuple[str, int, int]] = []
    opening = r"(?:^|(?<=\s))\(?"
    for label in labels:
        end = starts[-1][2] if starts else 0
        place = re.compile(rf"(?m){opening}{label}\)\s").search(text, end)
        if not place:
            break
        if not starts and place.start() and text[place.start() - 1] != "\n":
            opening = r"^\(?"  # the first is within a line
        starts.append((label, place.start(), place.end()))
    return starts


def _is_choice(lead: str, options: Sequence[str]) -> bool:
    """True if the parts of an exercise are answers to choose from."""
    if _CHOOSE.search(lead):
        return True
    is_option = [not text.endswith("?") and len(text.split()) <= _OPTION_WORDS for text in options[:-1]]
    if not all(is_option) or _TRUE_OR_FALSE.search(lead):
        return False
    last_sentence = re.split(r"[.?!]\s+", lead)[-1]
    return lead.endswith("?") or (lead[-1:] not in ".:;" and not _ASKS.match(last_sentence) and bool(lead))


def _stem(lead: str, options: Sequence[tuple[str, str]]) -> str:
    """A question to choose an answer to, as one that can be asked: "The eye forms the image at its what?"."""
    stem = _CHOOSE.sub("", lead).strip()
    if re.search(r"\b(?:following|these)\b", stem):
        names = [" ".join(text.split()).rstrip(".") for _, text in options]
        return f"{stem.rstrip('?.: ')}: {joined(names, 'or')}?"
    if stem.endswith("?"):
        return stem
    is_open = stem.split()[-1:] and stem.split()[-1].lower() in _OPEN_WORDS
    return f"{stem.rstrip('.:– ')}{' what' if is_open else ''}?"


def _joined(lead: str, part: str) -> str:
    """A part of an exercise with what it needs of the text before the parts."""
    head = _ANSWER_THESE.sub("", lead).strip()
    if following := _FOLLOWING.search(head):
        return f"{head[: following.start()]} {part}"
    if len(part.split()) <= _TITLE_WORDS and _FOLLOWING_WITHIN.search(head):
        return _FOLLOWING_WITHIN.sub(lambda _: part.rstrip("."), head, count=1)
    if head.endswith(":"):
        return f"{head[:-1]} {part}"
    if head.endswith(".") and len(head.split()) <= _ORDER_WORDS:
        return f"{head[:-1]}: {part}"
    return f"{head} {part}".strip()


def _question(exercise: PrintedQuestion, part: str, printed: str, asked: str, to_do: bool) -> PrintedQuestion:
    printed, asked = " ".join(printed.split()), asked.rstrip(" ;,")
    if len(_BLANK.findall(asked)) == 1:  # a statement as a question: "Unwanted sound is called what?"
        asked = f"{' '.join(_BLANK.sub(' what ', asked).split()).rstrip(' .')}?"
    left_out = _TO_BE_DONE if to_do else _not_asked(printed, asked)
    number = f"{exercise.number} ({part})" if part else exercise.number
    return replace(exercise, number=number, printed=printed, asked="" if left_out else asked, left_out=left_out)


def _not_asked(text: str, asked: str) -> str:
    """The reason why a question cannot be asked, in a few words; "" if it can. asked: as it would be asked."""
    if _TRUE_OR_FALSE.search(text):
        return "true or false"
    if len(_BLANK.findall(text)) > 1 or _LOST_BLANK.search(text):
        return "blanks to fill in"
    if _CLUE.match(text) and not _ASKS.match(text):
        return "a crossword"
    if _TABLE.search(text):
        return "a table to fill in"
    if _HANDS_ON.match(text):
        return _TO_BE_DONE
    # An equation, or a result of the numbers that the exercise gives: no book prints that answer.
    has_data = bool(_DATA.search(_REFERENCE.sub("", asked)))
    asks_for_result = bool(_COMPUTES.match(asked)) or (len(sentences(asked)) > 1 and not _WHY.search(asked))
    is_computed = _EQUATION.search(asked) or (has_data and asks_for_result)
    return "to be worked out" if is_computed else ""
