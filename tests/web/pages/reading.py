"""Reads a page as a program sees it: text, tables, links, names that are isolated."""

from html.parser import HTMLParser

from paircard.domain.speaking import ENGLISH
from paircard.service.print.rendering import language

VOID = ("meta", "link", "br", "input", "col", "img")


class Reader(HTMLParser):
    """What is read on a page, its tables row by row, and every address in it."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.rows: list[list[str]] = []
        self.addresses: list[str] = []
        self.isolated: list[str] = []
        self.ids: list[str] = []
        self.text = ""
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href", "action")]
        self.ids += [value or "" for name, value in attrs if name == "id"]
        if tag in VOID:
            return
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" in self.open:
            return
        self.text += data
        if self.open and self.open[-1] == "bdi":
            self.isolated.append(data)
        if "td" in self.open or "th" in self.open:
            self.rows[-1][-1] += data

    def row(self, start: str) -> list[str]:
        """The first row with this in its first cells, blanks squeezed."""
        rows = ([" ".join(cell.split()) for cell in row] for row in self.rows)
        return next(row for row in rows if start in row[:3])


def words(page: str) -> str:
    """What is read on a page or a piece of it, blanks squeezed."""
    return " ".join(Reader(page).text.split())


def string(code: str, n: int | None = None, /, tongue: str = ENGLISH, **values: object) -> str:
    """A string of the pages as it is read, wherever the catalogue has it changed."""
    return str(language(tongue)(code, n, **values).striptags())
