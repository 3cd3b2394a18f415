"""What the nouns accept and refuse."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from judge.core.model import Document, Manifest, Query, Scale


def test_ids_stay_as_they_are() -> None:
    assert [Document(id=i, text="").id for i in ("007", "1e5", "NA", " x ", "a/b#c")] == [
        "007",
        "1e5",
        "NA",
        " x ",
        "a/b#c",
    ]


def test_defaults_are_those_of_the_design() -> None:
    document, query = Document(id="d", text=None), Query(id="q", text="t")
    assert (document.language, document.namespace, document.title) == ("und", "bench", "")
    assert query.namespace is None


def test_body_is_what_engines_index() -> None:
    assert Document(id="d", text="body", title="head").body == "head\nbody"
    assert Document(id="d", text="body").body == "body"
    assert Document(id="d", text=None).body == ""


@pytest.mark.parametrize(
    "fields", [{"id": ""}, {"id": 7}, {"id": "d", "text": 3}, {"id": "d", "text": "", "body": "x"}]
)
def test_documents_refuse_what_they_do_not_know(fields: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Document.model_validate({"text": "t", **fields})


def test_the_default_scale() -> None:
    scale = Scale()
    assert list(scale.grades) == [0, 1, 2, 3]
    assert (scale.relevant_from, scale.label(3)) == (2, "directly answers")
    assert Scale.up_to(4).label(4) == "grade 4"
    assert Scale.up_to(1) == Scale.binary()


@pytest.mark.parametrize(
    "fields",
    [
        {"max": 0},
        {"max": 10},
        {"relevant_from": 0},
        {"relevant_from": 4},
        {"labels": {7: "seven"}},
        {"min": -1},
    ],
)
def test_scales_that_make_no_sense(fields: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Scale.model_validate(fields)


def test_a_manifest_reads_back() -> None:
    manifest = Manifest(name="x", languages=["en"], counts={"documents": 1})
    text = manifest.model_dump_json()
    assert '"schema":"judge.dataset/1"' in text
    assert Manifest.model_validate_json(text) == manifest
