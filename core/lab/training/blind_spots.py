"""Contrast pairs of the kinds that an NLI model misses: certainty, bounds, conditions, roles, parallel facts,
quantities of two units, and two names or numbers that change places.

They are made of sentences of our own groups and chapters, and of the words in data/nli/contrasts.json where few
sentences are of a kind. Every kind has about as many entailments as wrong hypotheses.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from core.judgements import LABELS
from core.lab.training.contrast_pairs import chapter_documents
from core.lab.training.nli_datasets import TWO_CLASS, Pair, groups_of
from core.lab.training.sentence_changes import NAME, SPELLED, lower_first, raise_first, reword, shorten
from core.text.sentences import sentences

ENTAILED, _, CONTRADICTED = LABELS
KINDS = {
    "certainty": 1.0, "bounds": 1.4, "conditions": 1.0, "roles": 1.4, "parallel": 2.0, "quantities": 0.4,
    "exchanges": 1.2,
}  # fmt: skip
"""The kinds of pairs, and how many of each for one of "certainty"."""
WORDS = Path(__file__).parents[3] / "data" / "nli" / "contrasts.json"

_BE = re.compile(r"\b(is|are|was|were|can|has|have|had|will)\b(?! (?:not|been|to|no)\b)")
_PLURAL = re.compile(r"^([A-Z][a-z]+s) (are|were|have|can)\b")
_COUNT = re.compile(
    rf"(?<![\w.,-])(?:(?!(?:1[0-9]|20)\d\d\b)\d{{1,6}}|(?:{'|'.join(SPELLED)}))(?= [a-z]{{3,}})(?! of\b)"
)
_NAME = re.compile(
    rf"{NAME.pattern}"
    r"|^(?!(?:After|And|An?|As|At|Before|But|By|For|From|If|In|It|On|Soon|The|Then|These|This|Under|When|With) )"
    r"[A-Z][a-z]+(?: [A-Z][a-z]+)+"
)
_NUMBER = re.compile(r"(?<![\w.,-])\d+(?:\.\d+)?(?![\w-]|[.,]\d)")
_YEAR = re.compile(r"\b[Ii]n ((?:1[0-9]|20)\d\d)\b(?! and)")
_HAS_BOUND = re.compile(
    r"(?:than|about|least|most|over|under|around|nearly|almost|to|some|exactly|only|and|or|between|from|up)$"
)
_LISTED = re.compile(r",?\s*(?:and|or|,|nor|with)?\s*")
"""The text between two names or numbers of a list. These may change places."""
_ALSO = {
    ("more", "at least"), ("less", "at most"), ("nearly", "less"), ("nearly", "at most"), ("nearly", "about"),
    ("exactly", "about"), ("exactly", "at least"), ("exactly", "at most"),
}  # fmt: skip
"""(bound in the premise, bound in the hypothesis) where the first entails the second."""
_PARTS = (5, 6, 8, 10, 15, 20, 25, 30, 40, 45, 50, 75, 80, 200, 250, 500, 750)
_SHORTEST, _LONGEST = 4, 28
"""Minimum and maximum words of a sentence that pairs are made of."""
_LONGEST_HEAD, _LONGEST_PREMISE = 5, 220
"""Maximum words of "A is" in a sentence whose rest is crossed with another's, and characters of both sentences."""
_AMONG_OTHERS = 0.15
"""Share of premises that stand among other sentences."""


@cache
def _words() -> dict[str, Any]:
    return json.loads(WORDS.read_text(encoding="utf-8"))


def certainty(sentence: str, random: Random) -> Iterator[Pair]:
    """Yield pairs of `sentence` with different certainty: a doubt or an adverb in the premise that the hypothesis
    drops, keeps or makes stronger.
    """
    words, said = _words(), lower_first(sentence)
    doubt, other = random.sample(words["doubts"], 2)
    unsure = doubt.format(said)
    yield Pair(unsure, random.choice((sentence, random.choice(words["sure"]).format(said))), TWO_CLASS, "certainty")
    yield Pair(unsure, other.format(said), ENTAILED, "certainty")
    sure, again = (phrase.format(said) for phrase in random.sample(words["sure"], 2))
    yield Pair(sure, random.choice((sentence, again)), ENTAILED, "certainty")
    match = _BE.search(sentence)
    if not match:
        return

    def with_adverb(adverb: str) -> str:
        return f"{sentence[: match.end()]} {adverb}{sentence[match.end() :]}"

    strong, weak = words["strong adverbs"], random.choice(words["weak adverbs"])
    one, same = random.sample(weak, 2)
    is_likely = "perhaps" in weak or "probably" in weak
    stronger = strong["certainly"] if is_likely else [*strong["always"], *strong["only"], *strong["always"]]
    yield Pair(with_adverb(one), with_adverb(random.choice(stronger)), TWO_CLASS, "certainty")
    yield Pair(with_adverb(one), with_adverb(random.choice((one, same))), ENTAILED, "certainty")
    sure, again = random.sample(strong["always"], 2)
    yield Pair(with_adverb(sure), with_adverb(again), ENTAILED, "certainty")
    if match[1] in ("was", "were"):
        may = random.choice(("may have been", "might have been", "could have been"))
        doubtful = sentence[: match.start()] + may + sentence[match.end() :]
        yield Pair(doubtful, sentence, TWO_CLASS, "certainty")
        yield Pair(doubtful, with_adverb(random.choice(("perhaps", "possibly"))), ENTAILED, "certainty")
    if plural := _PLURAL.match(sentence):
        rest = f"{plural[1].lower()} {sentence[plural.start(2) :]}"
        some = random.choice(("Most", "Many", "Some", "Nearly all"))
        yield Pair(f"{some} {rest}", f"{random.choice(('All', 'All the'))} {rest}", TWO_CLASS, "certainty")
        yield Pair(f"{some} {rest}", f"{some} of the {rest}", ENTAILED, "certainty")


def bounds(sentence: str, random: Random) -> Iterator[Pair]:
    """Yield pairs in which a number or a year of `sentence` is bounded: in another direction, and in the same."""
    by_name, dates = _words()["bounds"], _words()["dates"]
    if (match := _COUNT.search(sentence)) and not _HAS_BOUND.search(sentence[: match.start()].strip()):
        known = random.choice(list(by_name))
        wrong = random.choice([b for b in by_name if b != known and (known, b) not in _ALSO])
        right = random.choice([known, *(b for b in by_name if (known, b) in _ALSO)])
        premise, false, true = (_put(sentence, match, random.choice(by_name[b])) for b in (known, wrong, right))
        yield Pair(premise.format(match[0]), false.format(match[0]), TWO_CLASS, "bounds")
        yield Pair(premise.format(match[0]), true.format(match[0]), ENTAILED, "bounds")
    if match := _YEAR.search(sentence):
        known, wrong = random.sample(dates, 2)
        premise, false, true = (_put(sentence, match, random.choice(b)) for b in (known, wrong, known))
        if wrong != dates[0] or known == dates[1]:  # "in 1880" and "before 1880" are both "by 1880"
            yield Pair(premise.format(match[1]), false.format(match[1]), TWO_CLASS, "bounds")
        yield Pair(premise.format(match[1]), true.format(match[1]), ENTAILED, "bounds")


def _put(sentence: str, match: re.Match[str], phrase: str) -> str:
    return raise_first(sentence[: match.start()] + phrase + sentence[match.end() :])


def ages(random: Random) -> Iterator[Pair]:
    """Yield pairs with a bound behind its number, such as "18 years or older"."""
    n, (who, _) = random.randint(3, 80), random.choice(_words()["limited groups"])
    unit = random.choice(("years", "days", "km", "kg", "metres", "weeks", "rupees"))
    if unit == "years" and random.random() < 0.7:
        frame = f"The {who} must be {{}}."
        up, down = (
            [f"{n} years or older", f"at least {n} years old"],
            [f"{n} years or younger", f"at most {n} years old"],
        )
        over, under = f"older than {n} years", f"younger than {n} years"
    else:
        have = random.choice(("The rule is for {} of", "The {} may have", "The {} must bring", "The {} stay for"))
        frame, amount = f"{have.format(who)} {{}}.", f"{n} {unit}"
        up = [f"{amount} or more", f"{amount} and above", f"at least {amount}", f"no less than {amount}"]
        down = [f"{amount} or less", f"{amount} at most", f"no more than {amount}", f"up to {amount}"]
        over, under = f"more than {amount}", f"less than {amount}"
    known, wrong = random.choice(((up, [*down, under]), (down, [*up, over])))
    premise, same = random.sample(known, 2)
    yield Pair(frame.format(premise), frame.format(random.choice(wrong)), TWO_CLASS, "bounds")
    yield Pair(frame.format(premise), frame.format(random.choice((premise, same))), ENTAILED, "bounds")


def conditions(random: Random) -> Iterator[Pair]:
    """Yield pairs of a statement with its condition: the hypothesis keeps, drops or weakens it."""
    words = _words()
    state = raise_first(random.choice(words["states"]))
    one, two = random.sample(words["conditions"], 2)
    if random.random() < 0.25:
        what, (ripe, dry) = random.choice(words["subjects"]), random.sample(words["adjectives"], 2)
        one, two = f"{what} is {ripe}", f"{what} is {dry}"
    only = random.choice(("only if", "only when", "if", "provided that", "as long as", "when"))
    both = random.choice((f"{one} and {two}", f"both {one} and {two}"))
    premise = random.choice((f"{state} {only} {both}.", f"If {both}, {lower_first(state)}, and otherwise not."))
    weaker = (f"if {one}", f"when {two}", f"if {one} or {two}", f"whether or not {one}")
    yield Pair(premise, f"{state} {random.choice(weaker)}.", TWO_CLASS, "conditions")
    yield Pair(premise, f"{state} if {two} and {one}.", ENTAILED, "conditions")
    single = random.choice(("only if", "only when", "if", "provided that", "unless"))
    no_more = ("", " in any case", f" if {two}", f" if {one}" if single == "unless" else "")
    again = "Unless" if single == "unless" else random.choice(("If", "When"))
    yield Pair(f"{state} {single} {one}.", f"{state}{random.choice(no_more)}.", TWO_CLASS, "conditions")
    yield Pair(f"{state} {single} {one}.", f"{again} {one}, {lower_first(state)}.", ENTAILED, "conditions")
    (offer, to), (who, limit) = random.choice(words["offers"]), random.choice(words["limited groups"])
    narrow = f"{offer} {to.format(f'{who} {limit}')}."
    wide = random.choice((who, f"all {who}", f"every one of the {who}"))
    yield Pair(narrow, f"{offer} {to.format(wide)}.", TWO_CLASS, "conditions")
    yield Pair(narrow, narrow, ENTAILED, "conditions")


def roles(random: Random) -> Iterator[Pair]:
    """Yield pairs of who does what to whom: in the passive or the reverse word order, and with both exchanged."""
    words = _words()
    pool, acts = random.choice((("people", "acts"), ("beasts", "hunts"), ("things", "works")))
    (a, b), (act, done) = random.sample(words[pool], 2), random.choice(words[acts])
    is_past = pool == "people"
    when, opposite = random.choice(words["times"]) if is_past else "", words["opposed"].get(act)

    def forms(one: str, other: str) -> list[str]:
        result = [f"{one} {act} {other}{when}."]
        if done:
            be = _was(other) if is_past else "is"
            result += [
                f"{other} {be} {done} by {one}{when}.",
                f"it {_was('') if is_past else 'is'} {one} that {result[0][len(one) + 1 :]}",
            ]
        return result + ([f"{other} {opposite} {one}."] if opposite else [])

    yield from _exchanged(forms, a, b, random)


def _was(who: str) -> str:
    return "were" if who.startswith("the ") and who.endswith(("s", "people")) else "was"


def gifts(random: Random) -> Iterator[Pair]:
    """Yield pairs of who gives, tells or orders whom: in other words, and with both exchanged."""
    words = _words()
    (a, b), when, kind = random.sample(words["people"], 2), random.choice(words["times"]), random.randrange(3)
    gave, thing, given, got = random.choice(words["gifts"])
    (said, told), (direct, indirect) = random.choice(words["talk"]), random.choice(words["sayings"])
    asked = random.choice(("ordered", "asked", "begged", "told", "advised", "forced", "helped"))
    order = random.choice(words["orders"])

    def forms(one: str, other: str) -> list[str]:
        if kind == 0:
            result = [f"{one} {gave} {other} {thing}{when}.", f"{one} {gave} {thing} to {other}{when}."]
            result += [f"{other} {given.replace('was', _was(other))} {thing} by {one}{when}."] if given else []
            return result + ([f"{other} {got} {thing} from {one}{when}."] if got else [])
        if kind == 1:
            return [
                f'{one} {said} {other}, "{direct}"', f"{one} {told} {other} that {indirect}.",
                f"{other} {_was(other)} told by {one} that {indirect}.",
                f'"{direct.rstrip(".")}," {one} {said} {other}.',
            ]  # fmt: skip
        return [f"{one} {asked} {other} {order}{when}.", f"{other} {_was(other)} {asked} by {one} {order}{when}."]

    yield from _exchanged(forms, a, b, random)


def _exchanged(forms: Callable[[str, str], list[str]], a: str, b: str, random: Random) -> Iterator[Pair]:
    """Yield a pair with the roles of `a` and `b` exchanged, and one with them in place. forms: the ways to say it."""
    right, wrong = [raise_first(text) for text in forms(a, b)], [raise_first(text) for text in forms(b, a)]
    premise = random.choice(right)
    yield Pair(premise, random.choice(wrong), TWO_CLASS, "roles")  # both may pay each other
    yield Pair(premise, random.choice(right), ENTAILED, "roles")


def parallel(random: Random) -> Iterator[Pair]:
    """Yield pairs with a premise of two parallel facts: the hypothesis states one of them, or crosses the two."""
    words = _words()
    kind, (a, b) = random.choice(words["parallel"]), random.sample(words["subjects"], 2)
    frames, (x, y) = kind["frames"], random.sample(kind["values"], 2)
    single = frames[0].partition(" and ")[0] + "."

    def stated(frame: str, x: str, y: str, a: str = a, b: str = b) -> str:
        return ". ".join(raise_first(part) for part in frame.format(a=a, b=b, x=x, y=y).split(". "))

    premise = stated(random.choice(frames), x, y)
    yield Pair(premise, random.choice((stated(single, y, y), stated(single, x, x, b, b))), CONTRADICTED, "parallel")
    yield Pair(premise, random.choice((stated(single, x, x), stated(single, y, y, b, b))), ENTAILED, "parallel")
    label, (one, other) = random.choice(((ENTAILED, (x, y)), (CONTRADICTED, (y, x))))
    both = ((a, one), (b, other)) if random.random() < 0.5 else ((b, other), (a, one))
    (first, of_first), (second, of_second) = both
    yield Pair(premise, stated(random.choice(frames), of_first, of_second, first, second), label, "parallel")


def measures(random: Random) -> Iterator[Pair]:
    """Yield pairs with a premise that gives two things an amount each; the hypothesis states one, or crosses them."""
    (a, b, c), (says, say, unit) = random.sample(_words()["subjects"], 3), random.choice(_words()["measures"])
    m, n, k = random.sample(range(2, 400), 3)
    premise = random.choice((
        f"{a} {says} {m} {unit} and {b} {says} {n} {unit}.", f"{a} {says} {m} {unit}, {b} {n} {unit}.",
        f"{a} {says} {m} {unit}, while {b} {says} {n} {unit}.", f"{a} {says} {m} {unit} and {b} {n} {unit}.",
        f"{a} and {b} {say} {m} {unit} and {n} {unit} respectively.",
        f"{a} {says} {m} {unit}; {b} {says} {n} {unit}, and {c} {says} {k} {unit}.",
    ))  # fmt: skip
    wrong, right = random.choice(((a, n), (b, m))), random.choice(((a, m), (b, n)))
    for (thing, value), label in ((wrong, CONTRADICTED), (right, ENTAILED)):
        yield Pair(raise_first(premise), raise_first(f"{thing} {says} {value} {unit}."), label, "parallel")
    label, (of_a, of_b) = random.choice(((ENTAILED, (m, n)), (CONTRADICTED, (n, m))))
    (one, amount), (other, rest) = random.sample(((a, of_a), (b, of_b)), 2)
    joint = random.choice((" and", ", while", ", but", ", and"))
    both = f"{one} {says} {amount} {unit}{joint} {other} {says} {rest} {unit}."
    yield Pair(raise_first(premise), raise_first(both), label, "parallel")


def parallel_sentences(one: str, other: str, random: Random) -> Iterator[Pair]:
    """Yield pairs of two sentences of the form "A is X", joined in the premise and crossed in the hypothesis."""
    first, second = _BE.search(one), _BE.search(other)
    if not first or not second or first[1] != second[1] or len(one) + len(other) > _LONGEST_PREMISE:
        return
    heads = [one[: first.end()], other[: second.end()]]
    tails = [one[first.end() :].rstrip("."), other[second.end() :].rstrip(".")]
    if any(len(head.split()) > _LONGEST_HEAD for head in heads):
        return
    joint = random.choice((", and ", ", while ", "; ", ". ", ", but "))
    premise = f"{heads[0]}{tails[0]}{joint}{heads[1] if joint == '. ' else lower_first(heads[1])}{tails[1]}."
    for hypothesis, label in (
        (f"{heads[0]}{tails[1]}.", TWO_CLASS), (f"{heads[1]}{tails[0]}.", TWO_CLASS),
        (one, ENTAILED), (other, ENTAILED),
    ):  # fmt: skip
        yield Pair(premise, hypothesis, label, "parallel")


def quantities(random: Random) -> Iterator[Pair]:
    """Yield pairs with a quantity of two units in the premise; the hypothesis has a part of it or the same amount."""
    (large, small, size), frame = random.choice(_words()["units"]), random.choice(_words()["amounts"])
    m, n = random.randint(1, 20), random.choice([part for part in _PARTS if part < size])
    whole = random.choice((f"{m} {large} {n} {small}", f"{m} {large} and {n} {small}"))
    part, same = random.choice((f"{m} {large}", f"{n} {small}")), f"{m * size + n} {small}"
    yield Pair(frame.format(whole), frame.format(part), TWO_CLASS, "quantities")
    yield Pair(frame.format(whole), frame.format(random.choice((same, whole))), ENTAILED, "quantities")


def exchanges(sentence: str, random: Random) -> Iterator[Pair]:
    """Yield pairs in which two names or two numbers of `sentence` change places, and the sentence in other words."""
    for pattern in (_NAME, _NUMBER):
        places = list(pattern.finditer(sentence))
        if len({match[0] for match in places}) < 2:
            continue
        first, second = sorted(random.sample(places, 2), key=lambda match: match.start())
        between = sentence[first.end() : second.start()]
        if first[0] == second[0] or _LISTED.fullmatch(between):
            continue
        swapped = sentence[: first.start()] + second[0] + between + first[0] + sentence[second.end() :]
        yield Pair(sentence, swapped, TWO_CLASS, "exchanges")
        ways = random.choice((sentence, reword(sentence, random), *shorten(sentence)))
        yield Pair(*random.choice(((sentence, ways), (swapped, swapped))), ENTAILED, "exchanges")


def blind_spots(bases: Sequence[str], count: int, seed: int) -> list[Pair]:
    """Pairs of each kind, at most `count` times its share in KINDS, made of `bases` (sentences of our own) and of lists
    of words. Some premises stand among other sentences of `bases`, as in a passage.
    """
    random, pairs = Random(seed), list[Pair]()
    bases = [
        s
        for s in bases
        if _SHORTEST <= len(s.split()) <= _LONGEST and s.endswith(".") and s[0].isupper() and "{" not in s
    ]
    for sentence in random.sample(bases, len(bases)):
        for make in (certainty, bounds, exchanges):
            pairs += make(sentence, random)
        for other in random.sample(bases, 4):
            pairs += parallel_sentences(sentence, other, random)
    for _ in range(count):
        for compose in (conditions, roles, roles, gifts, parallel, measures, measures, ages, quantities):
            pairs += compose(random)
    chosen = []
    for kind, share in KINDS.items():
        some = list(dict.fromkeys(pair for pair in pairs if pair.source == kind))
        chosen += random.sample(some, min(round(count * share), len(some)))
    return [_among_others(pair._replace(source=f"blind/{pair.source}"), bases, random) for pair in chosen]


def base_sentences(folders: Sequence[Path], chapters: Path) -> list[str]:
    """The distinct sentences of the passages of our groups, but for those that are held out, and of our chapters."""
    groups = [group for folder in folders for group in groups_of(folder) if not group.held_out]
    texts = [text for group in groups for passage in (group.passage, group.changed) for text in sentences(passage)]
    return list(dict.fromkeys([*texts, *(text for chapter in chapter_documents(chapters) for text in chapter)]))


def _among_others(pair: Pair, bases: Sequence[str], random: Random) -> Pair:
    """`pair` with its premise alone or, for a share of all, among one or two unrelated sentences."""
    if random.random() > _AMONG_OTHERS:
        return pair
    before, after = random.sample(bases, 2)
    parts = random.choice(([before, pair.premise], [pair.premise, after], [before, pair.premise, after]))
    return pair._replace(premise=" ".join(parts))
