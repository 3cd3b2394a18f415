"""Strict JSON: what is refused, where, and that nothing else ever escapes."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.formats.reading.json_text import (
    MAX_DEPTH,
    JsonFault,
    dump,
    in_order,
    is_json,
    locate,
    parse,
)

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text("ab\n", max_size=3), inner),
)


@given(VALUES)
def test_what_is_written_is_read(value: object) -> None:
    assert parse(dump(value)) == value
    assert parse(json.dumps(value, indent=1)) == value
    assert in_order(value) == value


@given(st.text('{}[]:,"\\ntrufalse0123eE+-.NaIy \n\ud835\x00é', max_size=40))
@settings(max_examples=500)
def test_any_text_gives_a_value_or_a_fault(text: str) -> None:
    line, value = 1, None
    try:
        value = parse(text)
    except JsonFault as fault:
        line = fault.line
        assert not is_json(text)
    else:
        assert is_json(text)
        assert value == json.loads(text)
    assert 1 <= line <= text.count("\n") + 1


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", 1, "the text ends too early (column 1)"),
        ("[1,\n 2", 2, "the text ends too early (column 3)"),
        ("[1\n 2]", 2, 'unexpected "2" (column 2)'),
        ('{"a": 1,\n}', 1, "a comma before the closing bracket (column 8)"),
        ('{"a": tru}', 1, 'unexpected "t" (column 7)'),
        ('{"a" 1}', 1, 'unexpected "1" (column 6)'),
        ('"\\u12"', 1, "an escape in a string that JSON does not know (column 3)"),
        ("01", 1, "more text after the end of the value (column 2)"),
        ('"\\udc00"', 1, "\\udc00 is half of a surrogate pair (column 1)"),
        ('{"\\ud800": 1}', 1, "\\ud800 is half of a surrogate pair (column 2)"),
        ('{"a": {"b": 1, "b": 1}}', 1, 'the key "b" stands twice in one object (column 16)'),
        ('{"a": 1, "\\u0061": 1}', 1, 'the key "\\u0061" stands twice in one object (column 10)'),
        ("[1, 1e999]", 1, "1e999 is too large for a number (column 5)"),
        ("1e9991e999", 1, "1e9991 is too large for a number (column 1)"),
        ("-" + "1" * 4301, 1, "an integer of 4301 digits (column 1)"),
    ],
)
def test_faults(text: str, line: int, message: str) -> None:
    with pytest.raises(JsonFault) as caught:
        parse(text)
    assert (caught.value.line, caught.value.message) == (line, f"not JSON: {message}")


def test_equal_keys_of_different_objects_and_in_values_are_fine() -> None:
    assert parse('[{"a": "a"}, {"a": {"a": ["a", "a"]}}]') == [{"a": "a"}, {"a": {"a": ["a", "a"]}}]


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}")])
def test_depth(opening: str, closing: str) -> None:
    assert parse(opening * MAX_DEPTH + "1" + closing * MAX_DEPTH)
    deeper = MAX_DEPTH + 1
    with pytest.raises(JsonFault, match="nested deeper than 100 levels"):
        parse(opening * deeper + "1" + closing * deeper)


def test_brackets_in_texts_are_no_depth() -> None:
    text = "[{" * 1000
    assert parse(dump({"text": text})) == {"text": text}


def test_large_integers_are_exact() -> None:
    assert parse("1478720431326732291123456789") == 1478720431326732291123456789


def test_numbers_that_are_not_finite_are_never_written() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        dump({"score": math.nan})


def test_locate() -> None:
    text = '{"a": [1,\n {"b": "x\\"]",\n  "c": {}}],\n "d":\n  2}'
    wanted = [(), ("a",), ("a", 0), ("a", 1, "b"), ("a", 1, "c", "z"), ("d",), ("e", 1)]
    assert locate(text, wanted) == dict(zip(wanted, [1, 1, 1, 2, 3, 5, 1], strict=True))
    assert locate(text, [("d",)]) == {("d",): 5}
    assert locate(" \n[]", [(3, "a")]) == {(3, "a"): 2}


def test_other_numbers_are_those_of_their_texts() -> None:
    texts = ["2.0", "-0.0", "1e3", "0.1", "1e22", "123456789012345680000.0", "5e-324"]
    assert [parse(text) for text in texts] == list(map(float, texts))
    assert math.copysign(1, float(str(parse("-0.0")))) == -1
