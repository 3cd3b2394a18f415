from __future__ import annotations

import re
from importlib import resources

import pytest

from judge.scoring.html.charts import HEAT_STEPS, Estimate, axis_end, balance, bar, heat
from tests.scoring.html.tree import tree


def widths(made: str) -> list[str | None]:
    return [node.attributes.get("width") for node in tree(made).all("rect")]


def whisker(made: str) -> str | None:
    found = tree(made).all("path", class_="whisker")
    return found[0].attributes["d"] if found else None


def test_a_bar_is_as_long_as_its_mean() -> None:
    made = bar(Estimate(0.25, 0.125, 0.5), 1.0, 0)
    assert widths(made) == ["100", "25"]
    assert whisker(made) == "M12.5 6H50M12.5 1V11M50 1V11"


def test_the_end_of_the_axis_scales_the_bar() -> None:
    assert widths(bar(Estimate(2.0, None, None), 4.0, 0)) == ["100", "50"]


def test_without_a_mean_there_is_only_the_track() -> None:
    made = bar(Estimate(None, None, None), 1.0, 0)
    assert widths(made) == ["100"]
    assert whisker(made) is None


def test_nothing_is_drawn_beside_the_track() -> None:
    assert widths(bar(Estimate(7.0, None, None), 1.0, 0))[1] == "100"
    assert widths(bar(Estimate(-1.0, None, None), 1.0, 0))[1] == "0"
    assert widths(bar(Estimate(float("nan"), None, None), 1.0, 0))[1] == "0"


def test_runs_beyond_the_colours_share_them() -> None:
    assert "run-1" in bar(Estimate(0.5, None, None), 1.0, 7)


def test_a_difference_of_nothing_is_in_the_middle() -> None:
    (dot,) = tree(balance(Estimate(0.0, -0.5, 0.25), 0.5)).all("path", class_="dot")
    assert dot.attributes["d"] == "M50 6h0.001"
    assert whisker(balance(Estimate(0.0, -0.5, 0.25), 0.5)) == "M0 6H75M0 2V10M75 2V10"


def test_a_difference_without_a_value_has_no_dot() -> None:
    assert not tree(balance(Estimate(None, None, None), 0.5)).all("path", class_="dot")


def test_an_axis_ends_at_one_or_beyond() -> None:
    assert axis_end([]) == 1.0
    assert axis_end([0.5, None, float("nan"), 2.5]) == 5.0


@pytest.mark.parametrize(
    ("greatest", "end"),
    [(1.0, 1), (1.01, 2), (2.0, 2), (4.9, 5), (5.1, 10), (10.0, 10), (11.3, 20), (999.0, 1000)],
)
def test_an_axis_ends_at_a_round_number_that_nothing_exceeds(greatest: float, end: float) -> None:
    assert axis_end([0.1, greatest]) == end


@pytest.mark.parametrize(
    ("value", "end", "step"),
    [(0.0, 1.0, 0), (1.0, 1.0, 7), (0.5, 1.0, 4), (0.49, 1.0, 3), (0.0, 0.0, 0), (-1.0, 1.0, 0)],
)
def test_the_scale_of_colours(value: float, end: float, step: int) -> None:
    assert heat(value, end) == f"heat-{step}"


def test_no_value_has_no_colour() -> None:
    assert heat(None, 1.0) == heat(float("nan"), 1.0) == "heat-none"


def test_every_step_has_its_colours() -> None:
    style = resources.files("judge.scoring.html").joinpath("page.css").read_text("utf-8")
    steps = {int(step) for step in re.findall(r"\.heat-(\d+) \{", style)}
    assert steps == set(range(HEAT_STEPS))
