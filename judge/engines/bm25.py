"""How BM25 is asked of tantivy, and how exactly tantivy counts, is known only here."""

from __future__ import annotations

import contextlib
import unicodedata
from collections import Counter
from functools import lru_cache
from importlib import resources
from importlib.metadata import version
from typing import TYPE_CHECKING

import tantivy
from tantivy import Occur, SchemaBuilder

from judge.core.errors import EngineError, JudgeError
from judge.core.model import Hit
from judge.core.text import digest, words
from judge.engines.derived import Derived
from judge.engines.seam import best

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from tantivy import DocAddress

    from judge.core.model import Document, Query
    from judge.dataset.store import Dataset
    from judge.engines.seam import Progress, Setting

LAYOUT = "1"
"""Changed when the fields of the index change."""

K1, B = 1.2, 0.75
"""What tantivy fixes them to; there is no way to set them."""

MEMORY = 100_000_000
"""Bytes that the writer fills before it writes a part of the index to disk."""

STEP = 1000
"""Documents between two reports of progress."""

SPARE = 10
"""Hits fetched beyond k at first, so that most ties at k are whole without asking again."""

GROWTH = 4
"""How many times more hits are fetched while a tie is still cut."""


class Bm25:
    """BM25 over the words of title and text, by tantivy.

    score(q, d) = sum over the words t of q of  idf(t) * tf * (k1 + 1)
                                                / (tf + k1 * (1 - b + b * dl / avgdl))
    idf(t)      = ln(1 + (N - n + 0.5) / (n + 0.5))

    tf: how often t stands in d; n: documents that have t; N: documents in the dataset; dl: words in
    d; avgdl: words in all documents / N. A word that stands twice in the query counts twice.

    k1, b        1.2 and 0.75, fixed by tantivy.
    Lengths      dl is kept in one byte: exact up to 40 words; above, of dl - 24 the four leading
                 bits count and the rest is dropped (41 counts as 40, 231 as 216), so it is never
                 more than an eighth short. avgdl is exact.
    Words        cut alike from documents and queries: NFKC and case folding,
                 words with their marks, pairs of characters for scripts without spaces, folded
                 Latin and Arabic diacritics, at most 64 characters a word; no stemming, no stop
                 words. They reach tantivy joined by spaces and are cut at white space only.
    Fields       title and text are one field; the query's text is used, its description is not.
    Namespace    a filter: it leaves documents out and does not change a score, since n, N and avgdl
                 are those of the whole dataset.
    Scores       sums of 32-bit numbers, above 0; a query without a known word has no hits.
    Ties         fetched until the score falls below the k-th, then ordered by document id.
    Index        `.cache/engines/bm25-<hash>` of the dataset; made anew when documents, analyser or
                 tantivy change, or when a file is found damaged on opening; may be deleted at any
                 time. Its files are mapped into memory: while an engine is open, delete them
                 rather than write into them.

    Source: Robertson and Zaragoza, The Probabilistic Relevance Framework (2009), with the idf of
    Lucene, which is never negative.
    """

    name = "bm25"

    def __init__(self, index: tantivy.Index, folder: Path) -> None:
        self.folder = folder
        self._index = index
        self._searcher = index.searcher()

    @classmethod
    def open(cls, argument: str, dataset: Dataset, progress: Progress | None = None) -> Bm25:
        """Open the dataset's index; it is built first if it is not there, and anew if damaged.

        Raises:
            EngineError: The index cannot be built.
        """
        key = digest(LAYOUT, dataset.documents_sha, analyser_state(), version("tantivy"))
        derived = Derived(dataset.cache / "engines", cls.name, key)

        def build(folder: Path) -> None:
            total = dataset.manifest.counts.get("documents", 0)
            with _faults_named(f"cannot build its index {derived.folder}"):
                _build(folder, _counted(dataset.documents(), total, progress))

        try:
            return cls._at(derived.ensure(build))
        except EngineError:
            # Every file is as it was written, and still tantivy cannot read them.
            return cls._at(derived.ensure(build, anew=True))

    @classmethod
    def _at(cls, folder: Path) -> Bm25:
        with _faults_named(f"cannot open its index {folder}"):
            return cls(_unwatched(tantivy.Index.open(str(folder))), folder)

    def search(self, query: Query, k: int) -> list[Hit]:
        """The k best documents; scores are above 0.

        Raises:
            EngineError: The index cannot be read any more.
        """
        # Sorted, because the last bits of a sum depend on its order: "a b" and "b a" are the same.
        terms = sorted(Counter(words(query.text)).items())
        if not terms or k < 1:
            return []
        with _faults_named(f"cannot search its index {self.folder}"):
            request = self._request(terms, query.namespace)
            if request is None:
                return []
            found = self._fetch(request, k)
            return best((Hit(self._doc_id(place), score) for score, place in found), k)

    def describe(self) -> dict[str, Setting]:
        """The settings that decide its answers."""
        return {
            "engine": self.name,
            "k1": K1,
            "b": B,
            "idf": "ln(1 + (N - n + 0.5) / (n + 0.5))",
            "document length": "one byte: exact to 40 words, then rounded down by at most 1/8",
            "words": "judge.core.text.words over title and text; no stemming, no stop words",
            "analyser": analyser_state(),
            "tantivy": version("tantivy"),
            "documents": self._searcher.num_docs,
        }

    def _request(
        self, terms: Sequence[tuple[str, int]], namespace: str | None
    ) -> tantivy.Query | None:
        """The query in tantivy's terms; None when no document can answer it."""
        schema = self._index.schema
        clauses = []
        for term, count in terms:
            clause = tantivy.Query.term_query(schema, "body", term, "freq")
            clauses.append(
                (Occur.Should, tantivy.Query.boost_query(clause, count) if count > 1 else clause)
            )
        request = tantivy.Query.boolean_query(clauses)
        if namespace is None:
            return request
        home = digest(namespace)
        inside = self._searcher.doc_freq("namespace", home)
        if inside == self._searcher.num_docs:
            return request
        if inside == 0:
            return None
        place = tantivy.Query.term_query(schema, "namespace", home, "basic")
        return tantivy.Query.boolean_query(
            [(Occur.Must, request), (Occur.Must, tantivy.Query.const_score_query(place, 0.0))]
        )

    def _fetch(self, request: tantivy.Query, k: int) -> list[tuple[float, DocAddress]]:
        """The k best hits and all others that tie with the last of them."""
        limit = k + SPARE
        while True:
            # tantivy sets memory aside for `limit` hits, and refuses 0.
            limit = max(1, min(limit, self._searcher.num_docs))
            found = self._searcher.search(request, limit=limit, count=False).hits
            if len(found) < limit or limit == self._searcher.num_docs:
                break
            if found[-1][0] < found[k - 1][0]:
                break
            limit *= GROWTH
        least = found[k - 1][0] if len(found) >= k else 0.0
        return [hit for hit in found if hit[0] >= least and hit[0] > 0]

    def _doc_id(self, place: DocAddress) -> str:
        return bytes(self._searcher.doc(place)["id"][0]).decode("utf-8")


@lru_cache(maxsize=1)
def analyser_state() -> str:
    """Names the state of the analyser: another state may cut other words from the same text.

    It is taken from the analyser's own source and the Unicode version of the running Python, so it
    cannot be forgotten when a rule changes.
    """
    files = sorted(resources.files("judge.core.text").iterdir(), key=lambda file: file.name)
    sources = [file.read_text("utf-8") for file in files if file.name.endswith(".py")]
    return digest(*sources, unicodedata.unidata_version)[:16]


def _counted(
    documents: Iterator[Document], total: int, progress: Progress | None
) -> Iterator[Document]:
    for done, document in enumerate(documents, start=1):
        yield document
        if progress is not None and (done % STEP == 0 or done == total):
            progress(done, total)


def _schema() -> tantivy.Schema:
    schema = SchemaBuilder()
    # Bytes are stored without being indexed; an id of any length survives.
    schema.add_bytes_field("id", stored=True)
    schema.add_text_field("namespace", tokenizer_name="raw", index_option="basic")
    # This tokeniser cuts at white space and does nothing else: no lower-casing, no length limit.
    schema.add_text_field("body", tokenizer_name="whitespace", index_option="freq")
    return schema.build()


def _unwatched(index: tantivy.Index) -> tantivy.Index:
    """The index without tantivy's thread that waits for commits and then reads the files anew.

    A finished index never changes, and that thread would map the files of a folder made anew under
    the same name behind our back. It makes a crash rarer and does not rule it out: a file cut short
    in place while it is mapped kills the process (SIGBUS), which no Python code can catch. So
    nothing here ever shortens a file; folders are renamed and removed, which open maps survive.
    """
    index.config_reader(reload_policy="manual")
    return index


def _build(folder: Path, documents: Iterator[Document]) -> None:
    index = _unwatched(tantivy.Index(_schema(), path=str(folder)))
    # One thread: the parts of the index, and so the work of a query, are the same each time.
    writer = index.writer(MEMORY, num_threads=1)
    try:
        _add(writer, documents)
        writer.commit()
    finally:
        # Whatever happened: after this no thread of tantivy writes to the folder any more.
        writer.wait_merging_threads()


def _add(writer: tantivy.IndexWriter, documents: Iterator[Document]) -> None:
    namespaces: dict[str, str] = {}
    for document in documents:
        home = namespaces.setdefault(document.namespace, digest(document.namespace))
        entry = tantivy.Document()
        entry.add_bytes("id", document.id.encode("utf-8"))
        entry.add_text("namespace", home)
        entry.add_text("body", " ".join(words(document.body)))
        writer.add_document(entry)


@contextlib.contextmanager
def _faults_named(what: str) -> Iterator[None]:
    """Turn whatever tantivy raises into an error for the user."""
    try:
        yield
    except JudgeError:
        raise
    except Exception as error:
        raise EngineError(f"engine bm25 {what}: {error}") from error
    except BaseException as error:
        # A panic in Rust is no Exception, but it is no wish to stop either.
        if type(error).__name__ != "PanicException":
            raise
        raise EngineError(f"engine bm25 {what}: {error}") from error
