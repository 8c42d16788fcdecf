"""Pairing by hand: two players change seats or meet, looked at first, beside the boards of the engine; or the
boards of a round that was announced to be made by hand."""

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Final, get_args

import msgspec
from msgspec.structs import replace

from paircard.domain.errors import Caution, PaircardError
from paircard.domain.events import Board
from paircard.domain.systems.round_robin import meetings
from paircard.domain.values.regulations import cycles_of
from paircard.service import Done, Moment
from paircard.service.pairing import Change
from paircard.service.pairing_sheets import Seat
from paircard.service.review.preview import Alteration
from paircard.service.review.replay import PairingSheet
from paircard.web.pages.desk import next_step
from paircard.web.pages.forms import AtDesk, Desk, Form, Given
from paircard.web.problems import UnreadableBody, in_words_of_pages

PAGES: Final = Desk()


class AlterRow(msgspec.Struct, frozen=True, kw_only=True):
    """One board of three sheets; Black is None for the bye."""

    board: int
    """0 for the bye."""
    now: tuple[Seat, Seat | None] | None
    then: tuple[Seat, Seat | None] | None
    engine: tuple[Seat, Seat | None] | None
    changed: bool
    """The alteration makes another board of it."""
    differs: bool
    """The engine has no such board."""
    breaches: tuple[Caution, ...]
    """Warnings about its players."""


@PAGES.page("/alter")
def alter_page(desk: AtDesk) -> str:
    """Two players and what they shall do; then the boards it gives, each breach, and the button."""
    if (step := next_step(desk.moment)).kind == "by-hand":
        return boards_page(desk, step.round)
    moment, given, preview = desk.moment, desk.given, None
    if given["one"] and given["other"] and not desk.refusal:
        try:
            one, other = given.number("one"), given.number("other")
            preview = moment.preview_alteration(change_of(given), one, other, by=desk.somebody())
        except PaircardError as refused:
            desk = replace(desk, refusal=in_words_of_pages(refused))
    paired = bool(moment.state.paired)
    people = seats(moment) if paired else {}
    return desk.page(
        "desk_alter.html",
        view=moment.boards() if paired else None,
        people=sorted(people.values(), key=lambda seat: (seat.number or 10**6, seat.id)),
        rows=alter_rows(moment, people, preview) if paired else [],
        preview=preview,
        level=max((one.level for one in preview.warnings), default=0) if preview else 0,
    )


def boards_page(desk: AtDesk, round: int) -> str:
    """The boards of a round of a table by hand, to be filled in; of each player the colours so far, and the
    numbers of those still to be met."""
    state = desk.moment.state
    met, cycles = meetings(state, round, ()), cycles_of(desk.moment.regulations)
    past = [board for one in state.rounds for board in one.boards]
    mates = [
        {
            "id": id,
            "number": number,
            "name": state.players[id - 1].details.name,
            "colours": ["wb"[board.index(id)] for board in past if id in board],
            "to_meet": [
                at
                for at, other in enumerate(state.order, 1)
                if other != id and met[frozenset((id, other))] < cycles
            ],
        }
        for number, id in enumerate(state.order, 1)
    ]
    boards = range(1, len(mates) // 2 + 1)
    return desk.page("desk_boards.html", round=round, mates=mates, boards=boards)


def seats(moment: Moment) -> dict[int, Seat]:
    """By id: everybody who plays the last round or could, with the number on its sheet."""
    view = moment.boards()
    found = {seat.id: seat for line in view.boards for seat in (line.white, line.black)}
    found |= {seat.id: seat for seat in (*view.absent, *([view.pab] if view.pab else []))}
    for one in moment.players().players:
        if one.id not in found and not one.status:
            about = {name: getattr(one, name) for name in Seat.__struct_fields__ if name != "score"}
            found[one.id] = Seat(**about, score=0)
    return found


def alter_rows(moment: Moment, people: Mapping[int, Seat], preview: Alteration | None) -> list[AlterRow]:
    """The boards as they are, as they would be, and as the engine paired them; the bye comes last."""
    last = moment.state.rounds[-1]
    now = PairingSheet(last.boards, last.pab)
    then = preview.boards if preview else now
    engine = PairingSheet(last.engine_boards, last.engine_pab)
    warnings = preview.warnings if preview else ()

    def named(board: Board | None) -> tuple[Seat, Seat | None] | None:
        return None if board is None else (people[board[0]], people[board[1]] if board[1] else None)

    def row(number: int, ours: Board | None, new: Board | None, theirs: Board | None) -> AlterRow:
        return AlterRow(
            board=number,
            now=named(ours),
            then=named(new),
            engine=named(theirs),
            changed=new is not None and new not in boards_of(now),
            differs=new is not None and new not in boards_of(engine),
            breaches=breaches(new, warnings),
        )

    made = [
        row(at, *three)
        for at, three in enumerate(zip_longest(now.boards, then.boards, engine.boards), start=1)
    ]
    byes = [(sheet.pab, 0) if sheet.pab else None for sheet in (now, then, engine)]
    return [*made, row(0, *byes)] if any(byes) else made


def boards_of(sheet: PairingSheet) -> set[Board]:
    """The boards of a sheet, the bye as one without Black."""
    return {*sheet.boards, (sheet.pab, 0)}


def breaches(board: Board | None, warnings: Sequence[Caution]) -> tuple[Caution, ...]:
    """The warnings about the players of a board."""
    return tuple(one for one in warnings if board and set(one.players) & set(board))


SIDES: Final = ("white", "black")


def change_of(fields: Given) -> Change:
    """What the two players shall do."""
    for change in get_args(Change):
        if fields["do"] == change:
            return change  # type: ignore[no-any-return]
    raise UnreadableBody("page.neither-swap-nor-pair", text=fields["do"]).at("do")


@PAGES.form("/boards", alter_page, back="/alter")
def enter(form: Form) -> Done:
    """Record the boards that were filled in; a line without players is no board."""
    fields = form.fields
    lines = dict.fromkeys(name[5:] for name, value in fields.items() if name.startswith(SIDES) and value)
    boards = [(fields.number(f"white{at}"), fields.number(f"black{at}")) for at in lines]
    return form.tournament.enter_boards(boards, round=fields.number("round"), by=form.sender())


@PAGES.form("/alter", alter_page)
def alter(form: Form) -> Done:
    """Record the alteration that was looked at; if something happened since, it is refused."""
    one, other = form.fields.number("one"), form.fields.number("other")
    swap = change_of(form.fields) == "swap"
    return (form.tournament.swap_players if swap else form.tournament.pair_players)(
        one, other, by=form.sender()
    )
