"""Notes for people about a file: what was changed, assumed or left out, one line per kind."""

MOST_SHOWN = 8
"""Occurrences of a kind that are named; the others are counted."""


class Notes:
    """Collects notes while a file is read. Nothing is changed silently: each change adds a note."""

    def __init__(self) -> None:
        self._kinds: dict[str, list[str]] = {}

    def add(self, note: str, at: str = "") -> None:
        """Add a note; ``at`` says where, and the places of one note share a line."""
        places = self._kinds.setdefault(note, [])
        if at:
            places.append(at)

    def lines(self) -> tuple[str, ...]:
        """One line per note, in the order of their first appearance."""
        return tuple(_line(note, places) for note, places in self._kinds.items())


def _line(note: str, places: list[str]) -> str:
    if not places:
        return note
    shown = ", ".join(places[:MOST_SHOWN])
    if len(places) == 1:
        return f"{note}: {shown}"
    rest = f" and {len(places) - MOST_SHOWN} more" if len(places) > MOST_SHOWN else ""
    return f"{note}, {len(places)} times: {shown}{rest}"
