"""How sure a counted share is: Wilson's interval."""

import math
from dataclasses import dataclass

_Z = 1.959963984540054  # 95 %


@dataclass(frozen=True, kw_only=True)
class Rate:
    """`count` of `n` cases, with the 95 % interval of the share. Without cases there is no share, and no interval."""

    count: int
    n: int

    @property
    def share(self) -> float | None:
        return self.count / self.n if self.n else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Wilson's lower and upper bound of the share, both in [0, 1]."""
        if not self.n:
            return None
        p, z2 = self.count / self.n, _Z * _Z
        middle = p + z2 / (2 * self.n)
        reach = _Z * math.sqrt(p * (1 - p) / self.n + z2 / (4 * self.n * self.n))
        scale = 1 + z2 / self.n
        return max(0.0, (middle - reach) / scale), min(1.0, (middle + reach) / scale)

    @property
    def said(self) -> str:
        """The rate as people read it: "12 of 60 (20 %, 12-32)", the interval in percent too."""
        return self.said_with(0)

    def said_with(self, decimals: int) -> str:
        """The same with these decimals of the share, for one that stands beside a limit."""
        if self.share is None:
            return "none of this kind"
        low, high = (100 * x for x in self.interval)
        return f"{self.count} of {self.n} ({100 * self.share:.{decimals}f} %, {low:.0f}-{high:.0f})"

    def row(self) -> dict[str, int | float | list[float] | None]:
        """The rate as it is stored: shares rounded to four decimals."""
        share, interval = self.share, self.interval
        return {
            "count": self.count, "n": self.n, "share": share if share is None else round(share, 4),
            "interval": interval and [round(x, 4) for x in interval],
        }  # fmt: skip


def rate(outcomes: list[bool]) -> Rate:
    """How many of `outcomes` are true."""
    return Rate(count=int(sum(outcomes)), n=len(outcomes))  # counts of arrays are no plain numbers
