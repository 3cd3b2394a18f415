"""Text: how it becomes words, what makes two texts the same, what a terminal may be shown.

`words`, `tokens` and `fold` are the one analyser of the project: every engine, highlight and
comparison uses it, so a word that one part finds is a word for all others. `digest` names a text
in stored files. `shown` and `show` are the gate that all foreign text passes before it is drawn.
"""

from judge.core.text.analyser import MAX_TOKEN, Token, fold, tokens, words
from judge.core.text.gate import Shown, show, shown
from judge.core.text.identity import digest

__all__ = ["MAX_TOKEN", "Shown", "Token", "digest", "fold", "show", "shown", "tokens", "words"]
