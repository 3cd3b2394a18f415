"""The kinds of datasets that are made of facts, one file each."""

from judge.synth.kinds import (
    cross_domain,
    exact_match,
    long_doc,
    multi_answer,
    semantic_similarity,
    short_query,
    typos,
)

KINDS = {
    kind.name: kind
    for kind in (
        exact_match.KIND,
        semantic_similarity.KIND,
        cross_domain.KIND,
        short_query.KIND,
        long_doc.KIND,
        typos.KIND,
        multi_answer.KIND,
    )
}
"""All of them by name."""

__all__ = ["KINDS"]
