"""How school books spell units, as words and as symbols."""

Parts = tuple[tuple[str, int], ...]
"""Units by name with their powers: a metre per second is (("metre", 1), ("second", -1))."""

_WITH_PREFIX = """
metre: metre meter | m | p n µ μ m c d k; gram: gram gramme | g | n µ μ m c d k; second: second | s | p n µ μ m;
litre: litre liter | l L | µ μ m c d k; hertz: hertz | Hz | k M G T; newton: newton | N | m k M;
joule: joule | J | m k M G T; watt: watt | W | µ μ m k M G T; volt: volt | V | µ μ m k M;
ampere: ampere amp | A | n µ μ m k; ohm: ohm | \u03a9 \u2126 | m k M; pascal: pascal | Pa | h k M G;
coulomb: coulomb | C | n µ μ m;
mole: mole | mol | m k;
calorie: calorie | cal | k; electron_volt: electronvolt | eV | k M G T; tesla: tesla | T | µ μ m;
weber: weber | Wb | m;
farad: farad | F | p n µ μ m; henry: henry | H | µ μ m; watt_hour: watthour | Wh | k M G; kelvin: kelvin | K | m;
byte: byte | B | k K M G T; candela: candela | cd | m; lumen: lumen | lm | k; becquerel: becquerel | Bq | k M G;
base_pair: basepair | bp | k M G; parsec: parsec | pc | k M
"""
"""name: words | symbols | prefixes that books put before the symbols. Before the words any prefix may stand."""
_WITHOUT = """
minute: minute minutes min mins; hour: hour hours h hr hrs; day: day days; week: week weeks; month: month months;
year: year years yr yrs; decade: decade decades; century: century centuries; tonne: tonne tonnes; ton: ton tons;
kilogram: kilo kilos kgs; kilometre: kms; centimetre: cms; gram: gm gms; quintal: quintal quintals; inch: inch inches;
foot: foot feet ft; yard: yard yards; mile: mile miles mi; nautical_mile: nauticalmile nauticalmiles;
pound: pound pounds lb lbs; ounce: ounce ounces oz; acre: acre acres; hectare: hectare hectares ha;
celsius: °c ℃ ˚c 0c celsius centigrade degreecelsius degreescelsius degreecentigrade degreescentigrade;
fahrenheit: °f ℉ fahrenheit degreefahrenheit degreesfahrenheit; degree: degree degrees °; radian: radian radians rad;
percent: percent percentage %; decibel: decibel decibels dB; light_year: lightyear lightyears ly;
astronomical_unit: astronomicalunit astronomicalunits AU; dioptre: dioptre dioptres diopter diopters D;
dalton: u amu atomicmassunit atomicmassunits dalton daltons; angstrom: angstrom angstroms \u00c5 \u212b;
millimeter_Hg: mmhg mmofhg mmofmercury; standard_atmosphere: atm; bar: bar; horsepower: hp horsepower; ppm: ppm;
knot: knot knots; lux: lux lx; kilowatt_hour: unitofelectricity unitsofelectricity; rupee: rupee rupees rs Rs ₹ inr;
paisa: paisa paise; dollar: dollar dollars $; euro: euro euros €; pound_sterling: £
"""
_RATES = {
    "kmph": "kilometre/hour", "kph": "kilometre/hour", "kmhr": "kilometre/hour", "mph": "mile/hour",
    "mps": "metre/second", "rpm": "/minute",
}  # fmt: skip
_PREFIXES = {
    "pico": "p", "nano": "n", "micro": "µμ", "milli": "m", "centi": "c", "deci": "d", "hecto": "h", "kilo": "kK",
    "mega": "M", "giga": "G", "tera": "T",
}  # fmt: skip
_ANY_CASE = "km kg cm mm ml hz khz mhz ghz kwh db kcal kj kv kpa gm gms kb gb".split()
"""Symbols that books also write in another case, where they are still unambiguous."""


def _spellings() -> tuple[dict[str, Parts], dict[str, Parts]]:
    """({word in lower case: parts}, {symbol: parts}) for every spelling of a unit."""
    words: dict[str, Parts] = {}
    symbols: dict[str, Parts] = {"cc": (("centimetre", 3),)}
    for row in _WITH_PREFIX.split(";"):
        name, rest = row.strip().split(":")
        spelled, signs, prefixes = (part.split() for part in rest.split("|"))
        for prefix, letters in {"": "", **_PREFIXES}.items():
            words |= {f"{prefix}{w}{s}": ((prefix + name, 1),) for w in spelled for s in ("", "s")}
            letters_used = [p for p in prefixes if p in letters] if prefix else [""]
            symbols |= {p + sign: ((prefix + name, 1),) for p in letters_used for sign in signs}
    for row in _WITHOUT.split(";"):
        name, rest = row.strip().split(":", 1)
        for spelling in rest.split():
            exact = spelling.isalpha() and (len(spelling) < 3 or not spelling.islower())
            (symbols if exact else words)[spelling] = ((name, 1),)
    for spelling, rate in _RATES.items():
        above, below = rate.split("/")
        words[spelling] = (*(((above, 1),) if above else ()), (below, -1))
    words |= {sign.lower(): parts for sign, parts in symbols.items() if sign.lower() in _ANY_CASE}
    celsius = words["celsius"]
    return words | {"rs": words["rupee"], "oc": celsius, "ºc": celsius, "km/hr": words["kmph"]}, symbols


WORDS, SYMBOLS = _spellings()
"""The units of every word in small letters, and of every symbol as it is."""
