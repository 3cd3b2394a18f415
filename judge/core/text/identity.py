"""What makes two texts the same text: the digest that stored files name a text by."""

import hashlib


def digest(*parts: str | None) -> str:
    r"""Name a sequence of texts by the SHA-256 of an encoding that no other sequence has.

    Each part is written as a tag (`s` text, `n` none), for a text followed by its length in bytes
    (8, big-endian) and its UTF-8 bytes, so that parts cannot run into each other and a missing part
    differs from an empty one. Lone surrogates, which JSON can carry, are encoded as they stand.
    Label files store these digests: the encoding must never change.

    Args:
        parts: Texts in order; None stands for a part that is not there.

    Returns:
        64 lower-case hexadecimal digits.

    >>> digest("ab", "c") == digest("a", "bc"), digest("a", None) == digest("a", "")
    (False, False)
    >>> len(digest("\ud800"))
    64
    """
    state = hashlib.sha256()
    for part in parts:
        if part is None:
            state.update(b"n")
            continue
        data = part.encode("utf-8", "surrogatepass")
        state.update(b"s" + len(data).to_bytes(8, "big"))
        state.update(data)
    return state.hexdigest()
