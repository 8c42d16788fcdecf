"""Pairing by hand: two players change seats or meet, compared with the boards of the engine first; or
the boards of a round that was announced to be made by hand."""

from collections.abc import Iterator, Mapping
from typing import Final, get_args

from msgspec.structs import replace

from paircard.domain.deciding.round_robin import meetings
from paircard.domain.errors import PaircardError
from paircard.domain.values.regulations import cycles_of
from paircard.service import Done, Moment
from paircard.service.pairing import Change
from paircard.service.pairing_sheets import Seat
from paircard.service.review.replay import PairingSheet
from paircard.service.review.what_if import Alteration, seats
from paircard.web.pages.desk import next_step
from paircard.web.pages.forms import AtDesk, Desk, Form, Given
from paircard.web.pages.record import laid_side_by_side
from paircard.web.problems import UnreadableBody, in_words_of_pages

PAGES: Final = Desk()


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
    people = people_of(moment) if paired else {}
    return desk.page(
        "desk_alter.html",
        view=moment.boards() if paired else None,
        people=sorted(people.values(), key=lambda seat: (seat.number or 10**6, seat.id)),
        rows=[*alter_rows(moment, people, preview)] if paired else [],
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


def people_of(moment: Moment) -> dict[int, Seat]:
    """By id: everybody who plays the last round or could, with the number on its sheet."""
    view = moment.boards()
    found = {seat.id: seat for line in view.boards for seat in (line.white, line.black)}
    found |= {seat.id: seat for seat in (*view.absent, *([view.pab] if view.pab else []))}
    for one in moment.players().players:
        if one.id not in found and not one.status:
            about = {name: getattr(one, name) for name in Seat.__struct_fields__ if name != "score"}
            found[one.id] = Seat(**about, score=0)
    return found


def alter_rows(
    moment: Moment, people: Mapping[int, Seat], preview: Alteration | None
) -> Iterator[Mapping[str, object]]:
    """The boards as they are, as they would be, and as the engine paired them: which of them the alteration
    changes, which the engine does not have, and the warnings about their players."""
    last = moment.state.rounds[-1]
    now, engine = PairingSheet(last.boards, last.pab), PairingSheet(last.engine_boards, last.engine_pab)
    then, warnings = (preview.boards, preview.warnings) if preview else (now, ())
    for number, boards in laid_side_by_side(now, then, engine):
        named = [(people[board[0]], people.get(board[1])) if board else None for board in boards]
        new = boards[1]
        yield {
            "board": number,
            **dict(zip(("now", "then", "engine"), named, strict=True)),
            "changed": new is not None and new not in seats(now),
            "differs": new is not None and new not in seats(engine),
            "breaches": [one for one in warnings if {*one.players} & {*(new or ())}],
        }


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
