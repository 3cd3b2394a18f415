"""TREC's text files: runs (`query_id Q0 doc_id rank score tag`), qrels (`query_id 0 doc_id grade`).

A fast reader takes regular files and declines all others; a slow one takes the odd ones (tabs, runs
of blanks, blank lines, tags of several words, three columns) and explains every fault.
"""

from judge.formats.trec.reading import read_qrels, read_run
from judge.formats.trec.writing import write_qrels, write_run

__all__ = ["read_qrels", "read_run", "write_qrels", "write_run"]
