"""HTML as a tree, read by the parser of the standard library."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

VOID = {"meta", "input", "br", "img", "link"}


@dataclass
class Node:
    """An element with its attributes and what is in it, in order."""

    tag: str
    attributes: dict[str, str | None] = field(default_factory=dict)
    content: list[Node | str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(part if isinstance(part, str) else part.text for part in self.content)

    def walk(self) -> Iterator[Node]:
        yield self
        for part in self.content:
            if isinstance(part, Node):
                yield from part.walk()

    def all(self, tag: str, **attributes: str) -> list[Node]:
        wanted = {name.rstrip("_"): value for name, value in attributes.items()}
        return [
            node
            for node in self.walk()
            if node.tag == tag
            and all(node.attributes.get(name) == value for name, value in wanted.items())
        ]

    def one(self, tag: str, **attributes: str) -> Node:
        (node,) = self.all(tag, **attributes)
        return node


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open = [Node("document")]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len({name for name, _ in attrs}) == len(attrs), f"an attribute twice: {attrs}"
        node = Node(tag, dict(attrs))
        self.open[-1].content.append(node)
        if tag not in VOID:
            self.open.append(node)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop().tag == tag, f"{tag} is closed but was not open"

    def handle_data(self, data: str) -> None:
        self.open[-1].content.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")


def tree(text: str) -> Node:
    """The document; everything opened must be closed, and nothing may be a comment."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    assert len(reader.open) == 1, [node.tag for node in reader.open]
    return reader.open[0]
