"""Sources of chapters, short ones and one with everything in it."""

LONG = " ".join(
    f"Here is sentence number {n} of a paragraph that goes over many lines of its column." for n in range(14)
)
FOX = "The quick brown fox jumps over the lazy dog and looks back at the long road behind it."


def chapter(*lines, columns=1, title="Small Worlds"):
    return "\n".join([f"# {title}", f"= class 9 | Physics | chapter 12 | columns {columns}", *lines])


EVERYTHING = (
    "## 12.1 A numbered heading that is so long that it goes over to a second line in every case, and further",
    f"{LONG} Its size s~1~ is 10^−3^ m.", "### A sub-heading", FOX, f"- first point, {LONG}", "- second point",
    "[formula] a~n~ = a + (n − 1)d    (12.1)",
    "[formula] 2KMnO~4~ + 16HCl → 2KCl + 2MnCl~2~ + 8H~2~O + 5Cl~2~ when it is warmed    (12.2)",
    "[activity] Activity 12.1 Far and wide", LONG, LONG, f"- a point of it, {LONG}", LONG, LONG, "[end]",
    "[note] Do you know?", FOX, "[end]", "[example] Example 1", LONG, "[formula] x^2^ = 9    (12.3)", LONG, "[end]",
    "## 12.2 Pictures", "[table] Table 12.1: Some speeds", "Name of it | In metres per second | What it is",
    f"air | 340 | {FOX}", "H~2~O | 1,500 | liquid → gas", "[end]", LONG,
    "[figure] Fig. 12.1: The path of a sound", "flow: larynx -> the air of the room -> ear canal -> eardrum -> nerve",
    "[end]", LONG, "[figure] Fig. 12.2: Speeds", "bars: fog=340, brine=1500, steel=5000.5 | speed in air", "[end]", LONG,
    "[figure] Fig. 12.3: Warmer", "plot: 1990,-5; 2000,5.5; 2020,15 | year of it | mean in °C", "[end]", LONG,
    "[exercises] Exercises", f"1. Why? {FOX}", "(a) an option (b) another (c) a third", "2. How?", "[end]",
)  # fmt: skip
