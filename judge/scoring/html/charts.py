"""How a value becomes a bar with its interval, and how a value becomes a step of a colour scale."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from judge.scoring.html.markup import Html, element

if TYPE_CHECKING:
    from collections.abc import Iterable

HEAT_STEPS = 8
"""Steps of the colour scale; page.css has a ground and an ink for each."""

RUN_COLOURS = 6
"""Colours of runs; page.css has them. More runs than that share them: the name tells them apart."""

WIDTH = 100
HEIGHT = 12


class Estimate(NamedTuple):
    """A mean with its interval; None where there is none."""

    mean: float | None
    low: float | None
    high: float | None


def axis_end(values: Iterable[float | None]) -> float:
    """Where the axis of some values ends: 1, or the next round number if one of them is more.

    Round are 1, 2 and 5 times a power of ten.

    >>> axis_end([0.2, None]), axis_end([3.5]), axis_end([10.0]), axis_end([12.0])
    (1.0, 5.0, 10.0, 20.0)
    """
    greatest = max([1.0, *(v for v in values if v is not None and math.isfinite(v))])
    power = 10.0 ** math.floor(math.log10(greatest))
    return next((step * power for step in (1, 2, 5) if greatest <= step * power), 10 * power)


def bar(estimate: Estimate, end: float, run: int) -> Html:
    """A bar from 0 to the mean, with a whisker over the interval; numbers stand beside it.

    Args:
        estimate: What is drawn; without a mean the track stays empty.
        end: The value at the right end of the track.
        run: The place of the run, for its colour.
    """
    parts = [element("rect", class_="track", width=WIDTH, height=HEIGHT)]
    parts += [
        element("path", class_="grid", d=f"M{WIDTH * quarter / 4:g} 0V{HEIGHT}")
        for quarter in (1, 2, 3)
    ]
    if estimate.mean is not None:
        length = _place(estimate.mean, end)
        colour = f"fill run-{run % RUN_COLOURS}"
        parts.append(element("rect", class_=colour, width=f"{length:g}", y=2, height=HEIGHT - 4))
    if estimate.low is not None and estimate.high is not None:
        low, high = _place(estimate.low, end), _place(estimate.high, end)
        path = f"M{low:g} {HEIGHT / 2:g}H{high:g}M{low:g} 1V{HEIGHT - 1}M{high:g} 1V{HEIGHT - 1}"
        parts.append(element("path", class_="whisker", d=path))
    return _drawing(parts)


def balance(difference: Estimate, reach: float) -> Html:
    """A difference as a dot on an axis from -reach to +reach, with its interval as a line.

    Args:
        difference: What is drawn; without a mean the axis stays empty.
        reach: The value at both ends, above 0.
    """
    middle = HEIGHT / 2
    parts = [
        element("rect", class_="track", width=WIDTH, height=HEIGHT),
        element("path", class_="middle", d=f"M{WIDTH / 2:g} 0V{HEIGHT}"),
    ]
    if difference.low is not None and difference.high is not None:
        low = _place(difference.low + reach, 2 * reach)
        high = _place(difference.high + reach, 2 * reach)
        path = f"M{low:g} {middle:g}H{high:g}M{low:g} 2V{HEIGHT - 2}M{high:g} 2V{HEIGHT - 2}"
        parts.append(element("path", class_="whisker", d=path))
    if difference.mean is not None:
        place = _place(difference.mean + reach, 2 * reach)
        # A line of no length with round ends is a dot, whatever the drawing is stretched to.
        parts.append(element("path", class_="dot", d=f"M{place:g} {middle:g}h0.001"))
    return _drawing(parts)


def heat(value: float | None, end: float) -> str:
    """The class of a value's step on the colour scale from 0 to `end`.

    >>> heat(0.0, 0.5), heat(0.5, 0.5), heat(None, 0.5)
    ('heat-0', 'heat-7', 'heat-none')
    """
    if value is None or not math.isfinite(value):
        return "heat-none"
    share = value / end if end > 0 else 0.0
    return f"heat-{min(max(int(share * HEAT_STEPS), 0), HEAT_STEPS - 1)}"


def _drawing(parts: Iterable[Html]) -> Html:
    """It is stretched to its place; what it shows stands beside it in figures."""
    return element(
        "svg",
        *parts,
        class_="bar",
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        preserveAspectRatio="none",
        aria_hidden="true",
    )


def _place(value: float, end: float) -> float:
    if not math.isfinite(value):
        return 0.0
    return round(WIDTH * min(max(value / end, 0.0), 1.0), 3)
