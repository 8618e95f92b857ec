"""A sample as an HTML form: a judge reads, answers, and saves the answer sheet as CSV.

The page is a file and needs no network. The browser keeps the answers until the judge downloads
or copies them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from tlex.corpus.samples.answer_sheets import COLUMNS, Sample, SampledQuestion
from tlex.corpus.samples.populations import WHAT
from tlex.pages import make_page, quote

__all__ = ["write_html_form"]

_BLANKS = re.compile(r"\s+")


def write_html_form(sample: Sample) -> str:
    """Give a sample as a form: one HTML page that loads nothing."""
    what = WHAT[sample.what]
    title = f"Sample of {what}"
    body = [
        "<main>",
        f"<header><h1>{quote(title)}</h1>",
        f"<p>{len(sample.rows):,} of {sample.population:,}, drawn at random. Answer each question",
        "by the text; a comment is welcome where the answer is no.</p>",
        "<p>With the keyboard: <kbd>y</kbd> or <kbd>n</kbd> answers and goes on. Answers stay in",
        "this browser until you save the sheet.</p>",
        "<noscript><p>Without scripts this page can be read but not answered; use the CSV.",
        "</p></noscript></header>",
        "<form>",
    ]
    for number, row in enumerate(sample.rows, 1):
        body += _write_item(number, row)
    body += [
        "</form>",
        "</main>",
        '<div class="bar"><div>',
        f'<progress max="{len(sample.rows)}" value="0" aria-label="answered"></progress>',
        "<output></output>",
        '<button type="button" id="next">Next open</button>',
        '<button type="button" id="copy">Copy CSV</button>',
        '<button type="button" id="save" class="first">Save CSV</button>',
        '<span id="said" class="hidden" role="status"></span></div></div>',
        f'<script type="application/json" id="sheet">{_encode(sample)}</script>',
    ]
    return make_page(title, "\n".join(body), "form.css", "form.js")


def _write_item(number: int, row: SampledQuestion) -> Iterator[str]:
    item = row.item
    ids = " and ".join(quote(name) for name in (item.first, item.second) if name)
    yield f"<fieldset><legend>{number:,}. {quote(item.question)}</legend>"
    yield f'<div class="where">{quote(row.corpus)}, {quote(row.document)}: {ids}</div>'
    yield f"<blockquote>{''.join(_write_pieces(row))}</blockquote>"
    yield '<div class="answers">'
    for word in ("yes", "no"):
        yield (
            f'<label class="choice"><input type="radio" name="a{number}" value="{word}"> '
            f"{word}</label>"
        )
    yield '<label class="comment">comment <input type="text" autocomplete="off"></label>'
    yield "</div></fieldset>"


def _write_pieces(row: SampledQuestion) -> Iterator[str]:
    for number, words in row.item.pieces:
        shown = quote(_BLANKS.sub(" ", words))
        yield f"<mark>{shown}<sub>{number}</sub></mark>" if number else shown


def _encode(sample: Sample) -> str:
    """The sheet for the script; nothing in it can end the script element."""
    data = {
        "name": sample.name,
        "file": f"{sample.what}.csv",
        "columns": COLUMNS,
        "rows": sample.list_cells(),
    }
    words = json.dumps(data, ensure_ascii=True, separators=(",", ":"))
    return words.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
