"""Passages with numbers in them, what follows by one step of reckoning, and what would follow from other numbers.

A model that only reads words takes "1.5 km" and "1,500 m" for two things, and "twice" for what nobody said.
"""

from collections.abc import Callable, Iterator, Sequence
from random import Random

from core.workshop.training.datasets import Pair

Said = tuple[str, list[tuple[str, str]], str]
"""A passage, the (true, false) sentences that its numbers decide, and one that it leaves open."""

_SOURCE = "reckoning"
_UNITS = {
    "kilometres": ("metres", 1000), "metres": ("centimetres", 100), "centimetres": ("millimetres", 10),
    "kilograms": ("grams", 1000), "tonnes": ("kilograms", 1000), "litres": ("millilitres", 1000),
    "hours": ("minutes", 60), "minutes": ("seconds", 60), "days": ("hours", 24), "weeks": ("days", 7),
    "years": ("months", 12), "decades": ("years", 10), "rupees": ("paise", 100),
}  # fmt: skip
_MEASURED = (
    ("The canal between the two villages", "is {} long", ("kilometres", "metres"), "The canal was dug by hand."),
    ("The wire on the reel", "measures {} from end to end", ("metres",), "The wire is made of copper."),
    ("A leaf of this tree", "reaches a length of {}", ("centimetres",), "The leaves turn yellow before they fall."),
    ("The sack of grain", "weighs {}", ("kilograms", "tonnes"), "The grain in the sack is millet."),
    ("The water tank on the roof", "holds {}", ("litres",), "The tank on the roof is filled twice a day."),
    ("The journey by boat", "takes {}", ("hours", "days"), "The boat stops at three places on the way."),
    ("The experiment", "ran for {}", ("minutes", "hours", "weeks"), "The experiment was done in a dark room."),
    ("The reservoir", "took {} to build", ("years", "decades"), "The reservoir was paid for by the state."),
    ("The notebook", "costs {}", ("rupees",), "The notebook has a hundred pages."),
    ("The seedling", "grew by {} in a month", ("centimetres",), "The seedling was kept near a window."),
)
_SHARES = {
    50: ("half", "one in two"), 25: ("a quarter", "one in four"), 75: ("three quarters", "three in four"),
    20: ("one fifth", "one in five"), 40: ("two fifths", "two in five"), 60: ("three fifths", "three in five"),
    80: ("four fifths", "four in five"), 10: ("one tenth", "one in ten"), 90: ("nine tenths", "nine in ten"),
}  # fmt: skip
_GROUPS = (
    ("pupils of the school", "come on foot", "The school has a library."),
    ("farms in the district", "are watered by wells", "The wells of the district are deep."),
    ("households in the town", "buy milk every day", "Milk is cheaper in the town than in the city."),
    ("seeds in the tray", "sprouted within a week", "The seeds in the tray were beans."),
    ("workers of the mill", "belong to the union", "The union of the mill was founded by weavers."),
    ("birds on the island", "leave it before winter", "The birds of the island feed on fish."),
    ("members of the council", "voted for the new rule", "The new rule is about street lamps."),
    ("rocks in the collection", "were formed from lava", "The collection is kept in a glass case."),
)
_SPANS = (
    ("Work on the lighthouse began in {a} and was finished in {b}.", "building the lighthouse",
     "The lighthouse stands on a cliff."),
    ("The dynasty came to power in {a} and lost its throne in {b}.", "the rule of the dynasty",
     "The dynasty kept a strong fleet."),
    ("The newspaper first appeared in {a}; its last issue is dated {b}.", "the life of the newspaper",
     "The newspaper was printed in two languages."),
    ("A drought that set in in {a} did not end before {b}.", "the drought",
     "The drought drove herders to the coast."),
    ("The treaty was signed in {a} and was given up in {b}.", "the force of the treaty",
     "The treaty had nine articles."),
)  # fmt: skip
_PAIRED = (
    ("The first barrel holds {a} litres and the second {b} litres.", "the first barrel", "the second", "litres", "hold",
     "The barrels are made of oak."),
    ("A trader sold {a} baskets on Monday and {b} on Tuesday.", "Monday", "Tuesday", "baskets", "brought the trader",
     "The trader earned more than the year before."),
    ("The older bridge spans {a} metres, the newer one {b} metres.", "the older bridge", "the newer one", "metres",
     "span", "The newer bridge carries trains."),
    ("The upper field gave {a} bags of rice, the lower field {b} bags.", "the upper field", "the lower field", "bags",
     "gave", "The lower field was sown later."),
)  # fmt: skip
_RANKED = (
    ("Of three hills the {x} rises to {a} metres, the {y} to {b} metres and the {z} to {c} metres.",
     ("northern one", "eastern one", "western one"), ("highest", "lowest"), "higher", "The hills are wooded."),
    ("The {x} takes {a} minutes, the {y} {b} minutes and the {z} {c} minutes to cross the lake.",
     ("ferry", "sailing boat", "rowing boat"), ("slowest", "fastest"), "slower", "The lake freezes in January."),
    ("In the test the {x} carried {a} grams, the {y} {b} grams and the {z} {c} grams before it broke.",
     ("thread of silk", "thread of cotton", "thread of wool"), ("strongest", "weakest"), "stronger",
     "The threads were dyed before the test."),
)  # fmt: skip
_WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split()
_TIMES = {2: "twice", 3: "three times", 4: "four times", 5: "five times", 10: "ten times"}


def reckoned(fillers: Sequence[str], count: int, seed: int) -> list[Pair]:
    """`count` or a few more pairs, balanced over the labels; before or behind some passages stands one of `fillers`."""
    random, found = Random(seed), []
    while len(found) < count:
        passage, claims, left_open = random.choice(_FRAMES)(random)
        if fillers and random.random() < 0.6:
            passage = " ".join(random.sample([passage, random.choice(fillers)], 2))
        found += _pairs(passage, random.sample(claims, min(2, len(claims))), left_open)
    return found


def _pairs(passage: str, claims: Sequence[tuple[str, str]], left_open: str) -> Iterator[Pair]:
    for true, false in claims:
        yield Pair(passage, _sentence(true), "entailment", f"{_SOURCE}/true")
        yield Pair(passage, _sentence(false), "contradiction", f"{_SOURCE}/false")
    yield Pair(passage, left_open, "neutral", f"{_SOURCE}/open")


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:] + "."


def _number(value: float) -> str:
    return f"{value:,.10g}" if value >= 10_000 else f"{value:.10g}"


def _other(value: int, random: Random, low: int = 1) -> int:
    """Another whole number, about as large."""
    far = max(1, round(value * random.uniform(0.2, 0.6)))
    return value - far if value - far >= low and random.random() < 0.5 else value + far


def _measure(random: Random) -> Said:
    """A length, a weight, a time: in a smaller unit, in a larger one, in words, against a round number."""
    subject, verb, units, left_open = random.choice(_MEASURED)
    unit, value = random.choice(units), random.choice((1.5, 2.5, 0.5, 4.5, *range(2, 13), 20, 30, 45, 60, 90, 120))
    (smaller, factor), wrong = _UNITS[unit], _other(round(value * 2), random) / 2
    given, in_small = f"{_number(value)} {unit}", f"{_number(value * factor)} {smaller}"
    false_small = _number(value * factor * random.choice((0.1, 10, 2, 0.5)))
    if random.random() < 0.5:
        passage, claim, false = given, in_small, f"{false_small} {smaller}"
    else:
        passage, claim, false = in_small, given, f"{_number(wrong)} {unit}"
    said = f"{subject} {verb.format(passage)}."
    lowered = subject[0].lower() + subject[1:]
    claims = [(f"{lowered} {verb.format(claim)}", f"{lowered} {verb.format(false)}")]
    if value in range(2, 13):
        words = [f"{_WORDS[n] if n < 13 else n} {unit}" for n in (int(value), _other(int(value), random, 2))]
        claims.append((f"{lowered} {verb.format(words[0])}", f"{lowered} {verb.format(words[1])}"))
    less, more = (f"{_number(round(value * k, 1))} {unit}" for k in (0.8, 1.3))
    claims.append((f"{lowered} {verb.format('more than ' + less)}", f"{lowered} {verb.format('less than ' + less)}"))
    claims.append((f"{lowered} {verb.format('under ' + more)}", f"{lowered} {verb.format('over ' + more)}"))
    return said, claims, left_open


def _share(random: Random) -> Said:
    """A share as a percentage, a fraction, a count of so many, and what is left of the whole."""
    group, do, left_open = random.choice(_GROUPS)
    share, other = random.sample(sorted(_SHARES), 2)
    total = random.choice((20, 40, 60, 80, 200, 400))
    part, wrong = total * share // 100, total * other // 100
    ways = [f"{share} per cent", random.choice(_SHARES[share])]
    said, again = random.sample(ways, 2)
    passage = random.choice((f"{said} of the {group} {do}.", f"of the {group}, {said} {do}."))
    claims = [
        (f"{again} of the {group} {do}", f"{other} per cent of the {group} {do}"),
        (f"{100 - share} per cent of the {group} do not", f"{100 - other} per cent of the {group} do not"),
    ]
    if share != 50:
        most, few = f"more than half of the {group} {do}", f"fewer than half of the {group} {do}"
        claims.append((most, few) if share > 50 else (few, most))
    if random.random() < 0.4:
        passage = f"of the {total} {group} {part} {do}."
        claims[0] = (f"{ways[random.randrange(2)]} of the {group} {do}", f"{other} per cent of the {group} {do}")
        claims.append((f"{total - part} of the {group} do not", f"{total - wrong} of the {group} do not"))
    return passage[0].upper() + passage[1:], claims, left_open


def _span(random: Random) -> Said:
    """Two years: how long it was, and in which century it began."""
    frame, what, left_open = random.choice(_SPANS)
    first = random.randrange(1105, 1990)
    length = random.choice((*range(2, 13), 15, 20, 25, 30, 40, 50, 60))
    last, wrong = first + length, _other(length, random, 2)
    century, decade = -(-first // 100), last // 10 * 10
    years = _WORDS[length] if length <= 12 and random.random() < 0.5 else length
    claims = [
        (f"{what} lasted {years} years", f"{what} lasted {wrong} years"),
        (f"the beginning of {what} falls in the {century}th century",
         f"the beginning of {what} falls in the {century + random.choice((-1, 1))}th century"),
        (f"{what} came to its end in the {decade}s", f"{what} came to its end in the {decade + 30}s"),
        (f"{what} was over {years} years after its start", f"{what} was over {wrong} years after its start"),
    ]  # fmt: skip
    if length in (10, 20, 30, 40, 50):
        decades = f"{_WORDS[length // 10]} decade{'s' * (length > 10)}"
        claims.append((f"{what} took {decades}", f"{what} took {_WORDS[length // 10 + 1]} decades"))
    return frame.format(a=first, b=last), claims, left_open


def _two(random: Random) -> Said:
    """Two quantities: their sum, their difference, which is larger, how many times."""
    frame, x, y, unit, plural, left_open = random.choice(_PAIRED)
    small, times = random.randrange(4, 60), random.choice(sorted(_TIMES))
    large = small * times if random.random() < 0.4 else small + random.randrange(2, 40)
    first_larger = random.random() < 0.5
    a, b = (large, small) if first_larger else (small, large)
    more, fewer = (x, y) if first_larger else (y, x)
    both, gap = large + small, large - small
    other_sum, other_gap = _other(both, random), _other(gap, random)
    claims = [
        (f"together {x} and {y} {plural} {both} {unit}", f"together {x} and {y} {plural} {other_sum} {unit}"),
        (f"between {x} and {y} there is a difference of {gap} {unit}",
         f"between {x} and {y} there is a difference of {other_gap} {unit}"),
        (f"more {unit} belong to {more} than to {fewer}", f"more {unit} belong to {fewer} than to {more}"),
    ]  # fmt: skip
    if large == small * times:
        wrong = random.choice([t for t in _TIMES if t != times])
        claims.append((f"for {more} the number of {unit} is {_TIMES[times]} that for {fewer}",
                       f"for {more} the number of {unit} is {_TIMES[wrong]} that for {fewer}"))  # fmt: skip
    return frame.format(a=a, b=b), claims, left_open


def _ranked(random: Random) -> Said:
    """Three quantities: which comes first, which last, and which before which."""
    frame, names, (most, least), more, left_open = random.choice(_RANKED)
    x, y, z = random.sample(names, 3)
    values = random.sample(range(12, 400), 3)
    order = [n for _, n in sorted(zip(values, (x, y, z), strict=True), reverse=True)]
    passage = frame.format(x=x, y=y, z=z, a=values[0], b=values[1], c=values[2])
    high, low = random.choice(((0, 1), (1, 2), (0, 2)))
    not_first, not_last = random.choice(order[1:]), random.choice(order[:2])
    claims = [
        (f"the {order[0]} is the {most} of the three", f"the {not_first} is the {most} of the three"),
        (f"the {order[2]} is the {least} of the three", f"the {not_last} is the {least} of the three"),
        (f"the {order[high]} is {more} than the {order[low]}", f"the {order[low]} is {more} than the {order[high]}"),
    ]  # fmt: skip
    return passage, claims, left_open


def _change(random: Random) -> Said:
    """A rise or a fall between two values: by how much, and which way."""
    what, unit, left_open = random.choice((
        ("the temperature of the water", "degrees", "The water was taken from a spring."),
        ("the price of a sack of onions", "rupees", "Onions are stored in airy sheds."),
        ("the number of visitors", "thousand", "The visitors came from abroad."),
        ("the level of the river", "centimetres", "The river is crossed by a ferry."),
    ))  # fmt: skip
    first = random.randrange(12, 90)
    by = random.randrange(2, 11)
    up = random.random() < 0.5
    last = first + by if up else first - by
    way, other = ("rose", "fell") if up else ("fell", "rose")
    passage = random.choice((
        f"Within a day {what} went from {first} to {last} {unit}.",
        f"In the morning {what} stood at {first} {unit}, in the evening at {last}.",
    ))  # fmt: skip
    claims = [
        (f"{what} {way} by {_WORDS[by]} {unit}", f"{what} {way} by {_other(by, random, 2)} {unit}"),
        (f"{what} {way}", f"{what} {other}"),
        (f"at the end of the day {what} was {'higher' if up else 'lower'} than at its beginning",
         f"at the end of the day {what} was {'lower' if up else 'higher'} than at its beginning"),
    ]  # fmt: skip
    return passage, claims, left_open


_FRAMES: tuple[Callable[[Random], Said], ...] = (_measure, _share, _span, _two, _ranked, _change)
