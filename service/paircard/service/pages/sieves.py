"""The sieve of a bracket as a table: candidates in the order of the rules, and what removed each."""

import msgspec
from markupsafe import Markup

from paircard.domain.messages import Message
from paircard.pairing.explain.bracket_lines import candidate_field, fate, sieve_lines, title_of
from paircard.pairing.explain.sieve import Sieve, sieves
from paircard.pairing.explain.speaking import RoundSpeaker, say
from paircard.service.explaining import Round
from paircard.service.moment import Moment
from paircard.service.pages.event import event_of
from paircard.service.pages.explanation_words import Words
from paircard.service.pages.rendering import FILE, Frame, render


class SieveRow(msgspec.Struct, frozen=True, kw_only=True):
    """One candidate."""

    place: int
    """0 for the chosen one where it comes after the last that is listed."""
    candidate: Markup
    cells: tuple[str, ...]
    """Values by column; empty where the candidate was out already."""
    first: int
    """The column of the first difference; -1 for none."""
    fate: Message
    chosen: bool


class SieveTable(msgspec.Struct, frozen=True, kw_only=True):
    """The candidates of one bracket."""

    bracket: int
    """From the top, from 1."""
    title: Message
    lines: tuple[Message, ...]
    columns: tuple[str, ...]
    """The criteria in which the candidates differ."""
    rows: tuple[SieveRow, ...]
    whole: bool


def sieve_table(one: Sieve, speaker: RoundSpeaker) -> SieveTable:
    """A sieve, ready for a page."""
    names = tuple(
        name
        for name, value in one.chosen.values.items()
        if any(row.candidate.values.get(name) != value for row in one.rows)
    )
    made = []
    for row in one.rows:
        first = names.index(row.excluded) if row.excluded in names else -1
        seen = names[: first + 1] if first >= 0 else names
        values = row.candidate.values
        cells = tuple(speaker.brief(name, values[name]) if name in values else "" for name in seen)
        made.append(
            SieveRow(
                place=row.place,
                candidate=Markup(speaker.candidate(candidate_field(row))),
                cells=cells + ("",) * (len(names) - len(cells)),
                first=first,
                fate=fate(row),
                chosen=row.chosen,
            )
        )
    return SieveTable(
        bracket=one.bracket,
        title=title_of(one.chosen),
        lines=tuple(sieve_lines(one)),
        columns=names,
        rows=tuple(made),
        whole=one.whole,
    )


def candidates_page(moment: Moment, round: int, frame: Frame = FILE, *, bracket: int = 1) -> str:
    """The candidates of a bracket of a paired round, counted from the top."""
    asked: Round = moment.about(round)
    found = sieves(asked.snapshot)
    words = Words(asked, frame.language)
    at = min(max(bracket, 1), len(found))
    return render(
        "candidates.html",
        frame,
        event=event_of(moment),
        round=asked.snapshot.round,
        notes=asked.notes,
        words=words,
        titles=[(one.bracket, title_of(one.chosen)) for one in found],
        table=sieve_table(found[at - 1], words.speaker),
        more=say("explain.sieve.more"),
        edition=say(f"explain.edition.{asked.snapshot.edition}"),
    )
