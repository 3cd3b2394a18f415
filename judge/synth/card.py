"""The card of a generated dataset: what it is, how it came about, what it cannot tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from judge.synth.seam import Kind, Request

LIMITS = """\
## Limits

- The texts are made of templates and a grammar. They read like notices, not like what people write;
  keep scores on this set apart from scores on sets that people judged.
- A system that is good here is good at what this kind tests, and at nothing else.
- The wordings were written by one author; native speakers have not read them all.
"""


def card_of(kind: Kind, request: Request, name: str, counts: Mapping[str, int]) -> str:
    """Write the card, in Markdown."""
    dials = [f"- {dial.name} {kind.dial(request, dial.name):g}: {dial.help}" for dial in kind.dials]
    facts = [f"- {what}: {count:,}" for what, count in counts.items()]
    command = (
        f"judge generate {kind.name} --name {name} --size {request.size} --queries"
        f" {request.queries} --seed {request.seed}"
    )
    if request.languages:
        command += f" --languages {','.join(request.languages)}"
    command += "".join(f" --dial {dial}={value:g}" for dial, value in request.dials.items())
    parts = [
        f"# {name}\n\nSynthetic: {kind.summary}.\n",
        f"## What it is\n\n{kind.manual}",
        f"## Recipe\n\n```\n{command}\n```\n",
        *(["\n".join(dials) + "\n"] if dials else []),
        "## Counts\n\n" + "\n".join(facts) + "\n",
        LIMITS,
    ]
    return "\n".join(parts)
