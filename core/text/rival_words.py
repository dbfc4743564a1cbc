"""Rivals: words that exclude each other, such as "acid" and "base"; and where a claim and its evidence have rivals."""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from core.text.words import stem, words

_OPPOSITES = """
advantage merit benefit | disadvantage demerit drawback
import | export
acid acidic | base basic alkali alkaline
concave | convex
converging | diverging
maximum | minimum
maxima | minima
mother maternal | father paternal
reactant | product
oxidation oxidised | reduction reduced
oxidising | reducing
exhale expiration | inhale inspiration
evaporation | condensation
boiling | freezing | melting
anode | cathode
cation | anion
endothermic | exothermic
arteries artery | vein
male men man boy | female women woman girl
born birth | crowned coronation | married marriage wedding | die died death
myopia myopic near-sightedness short-sightedness | hypermetropia long-sightedness far-sightedness | presbyopia
rabi | kharif | zaid
plaintext | ciphertext
numerator | denominator
longitude | latitude
scalar | vector
prokaryote prokaryotic | eukaryote eukaryotic
monocot monocotyledonous | dicot dicotyledonous
vertebrate | invertebrate
xylem | phloem
mitosis | meiosis
genotype | phenotype
profit | loss
assets | liabilities
majority | minority
centripetal | centrifugal
perihelion | aphelion
solstice | equinox
absorb absorption | emit emission
attract attraction | repel repulsion
hydrophilic | hydrophobic
herbivore herbivorous | carnivore carnivorous | omnivore omnivorous
biotic | abiotic
aerobic | anaerobic
renewable | non-renewable
clockwise | anticlockwise anti-clockwise
largest biggest | smallest
longest | shortest
highest tallest | lowest
hottest | coldest
oldest eldest earliest | newest youngest latest
heaviest | lightest
fastest | slowest
thickest | thinnest
nearest closest | farthest furthest
strongest | weakest
"""
"""Groups of rivals: each line is a group, and the words between two strokes mean nearly the same."""
_KINDS = """
water seawater | air | vacuum | iron steel | glass | wood wooden | kerosene | alcohol
day daytime | night nighttime
summer | winter | monsoon
january | february | april | june | july | august | september | october | november | december
monday | tuesday | wednesday | thursday | friday | saturday | sunday
mercury | venus | mars | jupiter | saturn | uranus | neptune
africa | asia | europe | australia | antarctica | america
atlantic | pacific | arctic
sodium | potassium | calcium | magnesium | lithium
chlorine | bromine | iodine | fluorine
north northern | south southern | east eastern | west western
series | parallel
copper | zinc | aluminium | silver | gold
sulphuric | hydrochloric | nitric | acetic | citric | carbonic
"""
"""Members of a kind: a sentence about one member says nothing about another, but may name both."""
_QUALITIES = """
arithmetic | geometric | harmonic
joint | nuclear
simple | compound
formal | informal
rural | urban
public | private
direct | indirect | alternating
real | virtual | nominal
odd | even
prime | composite
finite | infinite
rational | irrational
physical | chemical
kinetic | potential
primary | secondary | tertiary
transverse | longitudinal
igneous | sedimentary | metamorphic
sexual | asexual
dominant | recessive
internal | external
inner | outer
upper | lower
left | right
ascending | descending
input | output
positive | negative
voluntary | involuntary
perennial | seasonal
peninsular | himalayan
fixed | variable
open | closed
concave | convex | plane
short | long
old | new
east eastern | west western | north northern | south southern
"""
"""Words that exclude each other before the same noun: a "geometric progression" is no "arithmetic progression"."""
_PREFIXES = (
    "mono bi di tri poly multi uni omni", "homo hetero", "exo endo", "hyper hypo", "intra inter", "micro macro",
    "pre post", "auto hetero", "under over", "mono dio",
)  # fmt: skip
"""Families of prefixes that exclude each other: "monohybrid" is no "dihybrid"."""
_DENIED = re.compile(r"(?:un|non-?|anti-?)([a-z]{5,})")
_DENIED_BY_IN = re.compile(
    r"(?:in|im|ir|il|dis)(direct|dependent|visible|complete|correct|organic|active|finite|elastic|soluble|accurate"
    r"|definite|formal|equality|justice|capable|sufficient|possible|perfect|permeable|mobile|mature|pure|balance"
    r"|proper|regular|rational|responsible|relevant|reversible|legal|literate|liquid|honest|similar|continuous"
    r"|connected|ability|obedience|agreement|vertebrate)"
)
_LEAST_REST = 4
"""The fewest letters of a word after its prefix."""


Group = tuple[frozenset[str], frozenset[str]]
"""(words of nearly the same meaning, their rivals)."""


def _singular(word: str) -> str:
    """`word` without the "s" of a plural. A stem would remove too much: "based" is no form of "base"."""
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def groups_of(text: str) -> Mapping[str, Group]:
    """{word: its group} of `text`, which has one group a line, with its sides separated by "|"."""
    groups: dict[str, Group] = {}
    for line in text.strip().splitlines():
        sides = [frozenset(map(_singular, side.split())) for side in line.split("|")]
        for side in sides:
            others = frozenset().union(*(other for other in sides if other is not side))
            groups.update((word, (side, others)) for word in side)
    return groups


OPPOSITES, KINDS, QUALITIES = groups_of(_OPPOSITES), groups_of(_KINDS), groups_of(_QUALITIES)


def rivals(word: str, groups: Mapping[str, Group]) -> list[str]:
    """The rivals of `word` in `groups`, sorted."""
    return sorted(groups.get(_singular(word), (frozenset(), frozenset()))[1])


def rival_of(word: str, candidates: Iterable[str], groups: Mapping[str, Group]) -> str:
    """The first of `candidates` (lower case) that is a rival of `word` in `groups`; "" if there is none."""
    by_name = {_singular(w): w for w in candidates}
    return next((by_name[rival] for rival in rivals(word, groups) if rival in by_name), "")


def names_alike(word: str, candidates: Iterable[str], groups: Mapping[str, Group]) -> bool:
    """True if `candidates` hold `word`, or a word of nearly the same meaning in `groups`."""
    same, _ = groups.get(_singular(word), (frozenset(), frozenset()))
    return bool((same | {_singular(word)}) & {_singular(w) for w in candidates})


def differ_by_prefix(one: str, other: str) -> bool:
    """True if one word is the negation of the other ("unplanned", "planned"), or if they differ in an excluding prefix
    ("monohybrid", "dihybrid")."""
    (stem_1, denied_1, prefixed_1), (stem_2, denied_2, prefixed_2) = _forms(one), _forms(other)
    if denied_1 == stem_2 or denied_2 == stem_1:
        return True
    return any(prefixed_2.get(key, prefix) != prefix for key, prefix in prefixed_1.items())


@lru_cache(maxsize=8192)
def _forms(word: str) -> tuple[str, str | None, Mapping[tuple[int, str], str]]:
    """(stem of `word`, stem of the word that it negates or None, {(family, stem of the rest): prefix})."""
    negation = _DENIED.fullmatch(word) or _DENIED_BY_IN.match(word)
    prefixed = {
        (n, stem(word[len(prefix) :])): prefix
        for n, family in enumerate(_PREFIXES)
        for prefix in family.split()
        if word.startswith(prefix) and len(word) >= len(prefix) + _LEAST_REST
    }
    return stem(word), stem(word[negation.start(1) :]) if negation else None, prefixed


_TURNS = groups_of("""
all every each entire whole always | some few only partly sometimes seldom rarely | none no never
most majority many mostly | few minority fewer
more greater higher larger bigger longer faster heavier stronger warmer hotter denser farther | less smaller lower
 shorter slower lighter weaker cooler colder rarer nearer
increase increases increased increasing rise rises rose rising grow grows grew gain gains up upward upwards climb climbs
 | decrease decreases decreased decreasing fall falls fell falling shrink shrinks shrank lose loses down downward
 downwards drop drops
before earlier | after later
front ahead | behind
inside within inwards into | outside outwards out
towards toward | away
along | against opposite
first initial | last final
hot warm | cold cool
same equal | different unequal
begin begins start starts | end ends stop stops
early | late
above over | below under beneath
allowed permitted may can | forbidden prohibited
present | absent
push pushes | pull pulls
raise raises raised | lower lowers lowered
""".replace("\n ", " "))  # fmt: skip
"""Words that reverse a claim if a rival replaces them: amounts, degrees, directions, order."""
_GROUPS = (OPPOSITES, KINDS, QUALITIES, _TURNS)
_SHORTEST = 6
"""The fewest letters of two words that are compared by their prefixes."""


@lru_cache(maxsize=4096)
def contrary_words(claim: str, evidence: str) -> tuple[str, ...]:
    """The words of `claim`, in order, that contradict `evidence`. For such a word, `evidence` holds no form of the
    word, but holds a rival of it, and `claim` does not hold that rival."""
    claim_words, evidence_words = words(claim), words(evidence)
    claim_stems, evidence_stems = {stem(w) for w in claim_words}, {stem(w) for w in evidence_words}
    own = [w for w in dict.fromkeys(claim_words) if stem(w) not in evidence_stems]
    others = [w for w in dict.fromkeys(evidence_words) if stem(w) not in claim_stems]
    return tuple(w for w in own if _rival(w, others))


def _rival(word: str, others: Iterable[str]) -> bool:
    others = list(others)
    prefixed = (w for w in others if len(w) >= _SHORTEST and len(word) >= _SHORTEST and differ_by_prefix(word, w))
    return any(rival_of(word, others, groups) for groups in _GROUPS) or next(prefixed, "") != ""
