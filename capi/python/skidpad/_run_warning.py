"""Warnings of a run."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Optional

OF_FILES = ("model", "parameters", "road", "ledger", "power", "carcass")
"""Rules about the parts and files of a vehicle, which do not concern a run."""


_IN_RUNS = ("end", "function", "slow-step")


@dataclass(frozen=True)
class RunWarning:
    """A quantity that left its limits in a run, also if it has returned, or a note of the start. ``str`` is the text
    with the remedy."""

    rule: str  # such as "range", "crushed" or "start-loads"; docs/concepts.md lists the rules
    subject: str  # component; "" for the vehicle
    quantity: str  # watched quantity, such as "Fz"; "" for none
    unit: str  # of the quantity
    low: Optional[float]  # limit, None for none
    high: Optional[float]  # limit, None for none
    count: int  # how often the quantity left its limits
    first: float  # time when it first left them [s]
    worst: Optional[float]  # value farthest from the limits; None without a quantity
    when: float  # time of that value [s]
    text: str  # the warning in a line
    remedy: str  # what to do; "" if the text has the remedy

    @property
    def of_run(self) -> bool:
        """Whether the warning concerns the run, not its start."""
        return bool(self.quantity) or self.rule in _IN_RUNS

    def __str__(self) -> str:
        return f"{self.text}; {self.remedy}" if self.remedy else self.text


def parsed(table: str) -> tuple[RunWarning, ...]:
    """The rows of the text "solver.warnings" about the run and its start."""
    rows = [line.split("\t") for line in table.splitlines()]
    return tuple(_of_fields(fields) for fields in rows if fields[0] not in OF_FILES)


def _of_fields(f: list[str]) -> RunWarning:
    low, high, worst = (_finite(f[i]) if f[2] else None for i in (4, 5, 8))
    return RunWarning(
        f[0], f[1], f[2], f[3], low, high, int(f[6]), float(f[7]), worst, float(f[9]), f[10], f[11]
    )


def _finite(text: str) -> float | None:
    value = float(text)
    return value if math.isfinite(value) else None


def short(warnings: Iterable[RunWarning]) -> str:
    """The texts of the warnings of a run, in a line; "" for none."""
    return "; ".join(warning.text for warning in warnings if warning.of_run)


def of_json(row: Mapping[str, Any]) -> RunWarning:
    """A row of figures.json."""
    return RunWarning(
        row["rule"], row.get("subject", ""), row.get("quantity", ""), row.get("unit", ""), row.get("low"),
        row.get("high"), row["count"], row["first"], row.get("worst"), row["when"], row["text"], row.get("remedy", ""),
    )  # fmt: skip
