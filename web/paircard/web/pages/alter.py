"""Pairing by hand: two players change seats or meet, looked at first, beside the boards of the engine; or the
boards of a round that was announced to be made by hand."""

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Final, get_args

import msgspec

from paircard.domain.errors import Caution, PaircardError
from paircard.domain.events import Board
from paircard.domain.systems.round_robin import meetings
from paircard.domain.values.regulations import cycles_of
from paircard.service import Done, Moment
from paircard.service.desk import person as somebody
from paircard.service.pairing import Change
from paircard.service.print.rendering import Said
from paircard.service.review.preview import Alteration
from paircard.service.review.replay import PairingSheet
from paircard.service.views import Seat
from paircard.web.calls import Answer, Call
from paircard.web.pages.desk import next_step
from paircard.web.pages.forms import AtDesk, Desk, at_desk, number, sender
from paircard.web.pages.page import EVENT, fresh
from paircard.web.problems import UnreadableBody, in_words_of_pages
from paircard.web.site import Site

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


def alter_page(
    desk: AtDesk, given: Mapping[str, str], preview: Alteration | None = None, refusal: Said | None = None
) -> str:
    """Two players and what they shall do; then the boards it gives, each breach, and the button."""
    if (step := next_step(desk.moment)).kind == "by-hand":
        return boards_page(desk, step.round, given, refusal)
    moment, paired = desk.moment, bool(desk.moment.state.paired)
    people = seats(moment) if paired else {}
    return desk.page(
        "desk_alter.html",
        refusal,
        view=moment.boards() if paired else None,
        people=sorted(people.values(), key=lambda seat: (seat.number or 10**6, seat.id)),
        rows=alter_rows(moment, people, preview) if paired else [],
        given=given,
        preview=preview,
        level=max((one.level for one in preview.warnings), default=0) if preview else 0,
    )


class Mate(msgspec.Struct, frozen=True, kw_only=True):
    """Who is to be seated: colours so far, and the numbers of those still to be met."""

    id: int
    number: int
    name: str
    colours: str
    to_meet: tuple[int, ...]


def boards_page(desk: AtDesk, round: int, given: Mapping[str, str], refusal: Said | None) -> str:
    """The boards of a round of a table by hand, to be filled in."""
    state = desk.moment.state
    met, cycles = meetings(state, round, ()), cycles_of(desk.moment.regulations)
    past = [board for one in state.rounds for board in one.boards]
    mates = [
        Mate(
            id=id,
            number=number,
            name=state.players[id - 1].details.name,
            colours="".join("wb"[board.index(id)] for board in past if id in board),
            to_meet=tuple(
                at
                for at, other in enumerate(state.order, 1)
                if other != id and met[frozenset((id, other))] < cycles
            ),
        )
        for number, id in enumerate(state.order, 1)
    ]
    boards = range(1, len(mates) // 2 + 1)
    return desk.page("desk_boards.html", refusal, round=round, mates=mates, boards=boards, given=given)


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


FIELDS: Final = ("do", "one", "other", "why")
SIDES: Final = ("white", "black")


def change_of(fields: dict[str, str]) -> Change:
    """What the two players shall do."""
    for change in get_args(Change):
        if fields.get("do") == change:
            return change  # type: ignore[no-any-return]
    raise UnreadableBody("page.neither-swap-nor-pair", text=fields.get("do", "")).at("do")


@PAGES.get(EVENT + "/desk/alter")
def look(site: Site, call: Call) -> Answer:
    """The boards, and what an alteration would make of them."""
    return fresh(alteration(site, call, {name: call.parameter(name) or "" for name in FIELDS}))


def alteration(site: Site, call: Call, fields: Mapping[str, str], refusal: Said | None = None) -> str:
    """The page of an alteration with its preview, as far as the fields go."""
    desk, preview = at_desk(site, call), None
    fields = dict.fromkeys(FIELDS, "") | dict(fields)
    if fields["one"] and fields["other"] and not refusal:
        try:
            one, other = number(fields, "one"), number(fields, "other")
            by = somebody(desk.who).because(fields["why"])
            preview = desk.moment.preview_alteration(change_of(fields), one, other, by=by)
        except PaircardError as refused:
            refusal = in_words_of_pages(refused)
    return alter_page(desk, fields, preview, refusal)


@PAGES.form("/boards", alteration, back="/alter")
def enter(site: Site, call: Call, fields: dict[str, str]) -> Done:
    """Record the boards that were filled in; a line without players is no board."""
    lines = dict.fromkeys(name[5:] for name, value in fields.items() if name.startswith(SIDES) and value)
    boards = [(number(fields, f"white{at}"), number(fields, f"black{at}")) for at in lines]
    round, by = number(fields, "round"), sender(site, call.login, fields)
    return site.tournament(call.tournament).enter_boards(boards, round=round, by=by)


@PAGES.form("/alter", alteration)
def alter(site: Site, call: Call, fields: dict[str, str]) -> Done:
    """Record the alteration that was looked at; if something happened since, it is refused."""
    one, other, change = number(fields, "one"), number(fields, "other"), change_of(fields)
    tournament, by = site.tournament(call.tournament), sender(site, call.login, fields)
    return (tournament.swap_players if change == "swap" else tournament.pair_players)(one, other, by=by)
