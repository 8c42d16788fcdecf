"""Players (``player add import correct …``), their byes, who must not meet, and the erasure of their data."""

from collections.abc import Mapping
from typing import Any, Final

import click

from paircard.cli.input_files import read_sheet
from paircard.cli.options import CSV, ENCODING, Field, field_options, forms, given
from paircard.cli.output import outside_fide, print_line, remark, show_table
from paircard.cli.refusals import Misused, found_in, spoken
from paircard.cli.session import Session, reads, writes
from paircard.cli.usage import finish
from paircard.domain import commands as ask
from paircard.domain.deciding.numbering import moved_afresh, thaw_with_pairing
from paircard.domain.deciding.players import UnusedRatings, unused_ratings
from paircard.domain.errors import Invalid, Refused
from paircard.domain.messages import Message, say
from paircard.domain.speaking import quoted
from paircard.domain.values.foreign import SEXES
from paircard.domain.values.players import Changes, Details, shown_id
from paircard.domain.values.rules import RULES
from paircard.domain.values.text import label
from paircard.service import Moment
from paircard.service.erasure import erase_again, erase_person, player_to_erase
from paircard.service.exports import csv_text
from paircard.service.print.paper import start_list_page
from paircard.service.sheets.players import COLUMNS, Registration, players_of
from paircard.service.views import Entrant, Players, Remains

FEW = 8
"""Names that are printed one by one; more are counted."""
MOST_FAULTS = 20
"""Wrong lines of a sheet that are named; more are counted."""


def sex(text: str) -> str:
    """A sex as a sheet may have it, F for w."""
    return SEXES.get(text.strip().lower(), text)


CAPITALS: Final = {"type": str.upper, "metavar": "TEXT"}
DETAILS: Final[Mapping[str, Field]] = {
    "rating": "Rating used in this tournament; 0 is unrated.",
    "title": ("GM, IM, WGM, FM, WIM, CM, WFM or WCM.", CAPITALS),
    "sex": ("m or w (or f).", {"type": sex, "metavar": "TEXT"}),
    "federation": ("Code of the federation, like ITA.", CAPITALS),
    "fide_id": "FIDE id.",
    "birth": "Year or day of birth, like 1990 or 1990-04-23.",
    "club": "Club.",
    "fide_rating": "Rating in FIDE's standard list.",
    "rapid_rating": "Rating in FIDE's rapid list.",
    "blitz_rating": "Rating in FIDE's blitz list.",
    "national_rating": "Rating in the national list.",
    "national_id": "Id in the national list.",
    "rating_source": "List the tournament rating comes from.",
    "estimated": ("The rating is the arbiter's estimate.", {"opposite": "--not-estimated"}),
    "k_factor": "K factor of the rating report.",
    "half_byes": ("Whether the player may have half-point byes.", {"opposite": "--no-half-byes"}),
}
"""What the options for a player say; their names and types are those of the fields."""
detail_options = field_options(Details, DETAILS)


@click.group()
def player() -> None:
    """Register, correct, withdraw and readmit players.

    A player is named by id (p16), by part of the name that nobody else has, or, once round 1 is paired, by
    pairing number.
    """


@player.command()
@click.argument("name")
@detail_options
@click.option("--missed", default="", help="A late entry's rounds so far, H or Z for each: HZ.")
@writes
def add(session: Session, name: str, missed: str, **details: Any) -> None:
    """Register a player, from round 1 on as a late entry.

    Without --rating, the rating comes from the first list of the regulations that has one: standard,
    rapid, blitz, or as the tempo or --rating-lists of the tournament say.

    Example: paircard player add "Polgar, Judit" --title GM --rating 2675 --federation HUN
    """
    command = ask.RegisterPlayer(details=Details(name=name, **given(details)), missed=missed)
    session.tell(session.tournament.ask(command, by=session.person))
    say_unused(session)


@player.command("import")
@click.argument("file", metavar="FILE")
@ENCODING
@click.option("--skip-unknown", is_flag=True, help="Leave out columns with unknown names.")
@click.option("--preview", is_flag=True, help="Show who is new and what would change; write nothing.")
@writes
def import_(session: Session, file: str, encoding: str, skip_unknown: bool, preview: bool) -> None:
    """Register or update the players of a sheet: all or none.

    A sheet is a CSV, Excel or OpenDocument (.ods) file.
    The first line names the columns: name (or surname and first name), and any of sex, title, rating,
    federation, fide_id, birth, club, fide_rating, rapid_rating, blitz_rating, national_rating and
    national_id; the names that Swiss-Manager, chess-results, Vega, Papi and SwissChess give them are
    understood. FILE may be - for standard input.

    Players who are registered, by FIDE id or else by name, get the data of the file; an empty cell
    changes nothing, and nobody is removed.

    Example: paircard player import players.csv
    """
    table = read_sheet(file, encoding)
    with found_in(file):
        sheet = players_of(table)
        if sheet.skipped and not skip_unknown:
            raise Invalid(
                "cli.unknown-columns",
                line=table.heading.number,
                codes=list(map(quoted, sheet.skipped)),
                known=list(COLUMNS),
            )
    if sheet.unused:
        remark(say("cli.players.unused-columns", known=list(map(quoted, sheet.unused))), file)
    for note in sheet.notes:
        remark(note, file)
    plan = session.tournament.plan_import(sheet, by=session.person)
    if plan.faults:
        *before, last = map(str, plan.faults[:MOST_FAULTS])
        for fault in before:
            remark(fault, file)
        raise Invalid("cli.sheet-wrong", file=file, value=last, count=len(plan.faults[MOST_FAULTS:]))
    if preview:
        show_plan(plan)
        return
    try:
        done = session.tournament.import_players(sheet, by=session.person)
    except Refused as refusal:
        if refusal.line:
            refusal.place = f"{file}: line {refusal.line}"
        raise
    session.tell(done, quiet=True)
    others = [line.text for line in done.lines if line.kind != "player-registered"]
    for text in others:
        click.echo(text)
    new = say("cli.players.registered", entered=len(done.lines) - len(others))
    print_line("cli.players.outcome", news=counts_of(new, plan))
    say_unused(session)
    say_numbers_stay(session, {field for one in plan.updated for field, _, _ in one.differs})


def show_plan(plan: Registration) -> None:
    """What an import would do, player by player."""
    for (line, details), rating in zip(plan.new, plan.ratings, strict=True):
        print_line("cli.players.new", line=line, name=details.name, rating=rating)
    for known in plan.updated:
        changes = ", ".join(f"{label(field)} {was or 'none'} -> {says}" for field, was, says in known.differs)
        click.echo(f"line {known.line}: {known.name}: {changes}")
    for warning in plan.warnings:
        print_line("cli.players.to-accept", value=warning.message, level=warning.level, code=warning.answer)
    say_unused_ratings(plan.unused)
    new = say("cli.players.would-be-registered", entered=len(plan.new))
    print_line("cli.players.outcome", news=[*counts_of(new, plan), say("cli.players.nothing-written")])


def say_unused(session: Session) -> None:
    """Ratings that are known and do not count, while that matters most: before round 1 is paired."""
    state = session.tournament.now().state
    if not state.rounds:
        say_unused_ratings(unused_ratings(state))


def say_unused_ratings(unused: UnusedRatings) -> None:
    """Ratings that do not count, with the command that lets them count."""
    if unused.players:
        click.echo(f"{unused.message}: paircard change --rating-lists {','.join(unused.lists)}")


def counts_of(new: Message, plan: Registration) -> list[Message]:
    """How many are new, updated and as before; and who is in the tournament or in the file alone."""
    counts, told = [new], []
    if plan.updated:
        counts.append(say("cli.players.updated", count=len(plan.updated)))
    if same := len(plan.known) - len(plan.updated):
        counts.append(say("cli.players.as-before", count=same))
    missing = plan.missing if plan.known else ()
    if len(missing) > FEW:
        told.append(say("cli.players.many-not-in-file", entered=len(missing)))
    elif missing:
        told.append(say("cli.players.not-in-file", names=missing))
    if left := [one.name for one in plan.known if one.status]:
        told.append(say("cli.players.out-of-tournament", names=left))
    return [say("cli.players.counts", causes=counts), *told]


@player.command()
@click.argument("who")
@click.option("--name", help="The right name.")
@detail_options
@writes
def correct(session: Session, who: str, **changes: Any) -> None:
    """Correct a player's data.

    Until round 4 is paired, `paircard number` can renumber the players afterwards.

    Example: paircard player correct Polgar --rating 2680 --why "list of November"
    """
    if not given(changes):
        raise Misused("cli.correct-what")
    session.ask(lambda now: [ask.CorrectPlayer(player=now.player(who), changes=Changes(**given(changes)))])
    say_numbers_stay(session, set(given(changes)))


def say_numbers_stay(session: Session, corrected: set[str]) -> None:
    """What corrected data do to the pairing numbers, while these can still change."""
    state = session.tournament.now().state
    if "rating" in corrected and thaw_with_pairing(state):
        print_line("cli.players.unpair-first", round=state.paired)
    if state.rounds and not (state.frozen or state.closed) and {"rating", "title"} & corrected:
        if RULES[state.regulations.edition].ranks_anew:
            print_line("cli.players.ranked-anew")
        elif moved_afresh(state):
            print_line("cli.players.numbers-stay")


@player.command()
@click.argument("who")
@click.argument("rating", type=int)
@click.option("--from", "first", type=int, required=True, metavar="ROUND", help="First round it belongs to.")
@writes
def rating(session: Session, who: str, rating: int, first: int) -> None:
    """Enter the rating a player has from a round on.

    For events longer than a rating list is valid.
    Numbers and pairings keep the first rating. Rating tie-breaks go by the rating of each game's round if
    the regulations say so: --tiebreak-ratings round.

    Example: paircard player rating Polgar 2690 --from 2
    """
    session.ask(lambda now: [ask.ListRating(player=now.player(who), rating=rating, first=first)])


@player.command()
@click.argument("who")
@writes
def withdraw(session: Session, who: str) -> None:
    """Take a player out of the pairings from the next round on.

    Example: paircard player withdraw Polgar --why "illness"
    """
    session.ask(lambda now: [ask.WithdrawPlayer(player=now.player(who))])


@player.command()
@click.argument("who")
@writes
def remove(session: Session, who: str) -> None:
    """Take an entry off the list that was made by mistake.

    The player must never have been paired. The entry is on no list, sheet or report any more; the log keeps
    it.

    Example: paircard player remove Polgar
    """
    session.ask(lambda now: [ask.RemovePlayer(player=now.player(who))])


@player.command()
@click.argument("double")
@click.argument("into")
@writes
def merge(session: Session, double: str, into: str) -> None:
    """Merge two entries of one person.

    DOUBLE, which was never paired, goes; INTO stays. What INTO lacks, such as a FIDE id, is taken over.

    Example: paircard player merge p2 p1 --ack not-alike
    """
    session.ask(lambda now: [ask.MergePlayers(player=now.player(double), into=now.player(into))])


@player.command("return")
@click.argument("who")
@writes
def return_(session: Session, who: str) -> None:
    """Readmit a withdrawn player from the next round on.

    Example: paircard player return Polgar
    """
    session.ask(lambda now: [ask.ReturnPlayer(player=now.player(who))])


@player.command()
@click.argument("who")
@click.option("--ranked", is_flag=True, help="Leave the player in the standings.")
@writes
def expel(session: Session, who: str, ranked: bool) -> None:
    """Expel a player; the results stay for the opponents.

    Example: paircard player expel Polgar --why "mobile phone, third time"
    """
    session.ask(lambda now: [ask.ExpelPlayer(player=now.player(who), ranked=ranked)])


@player.command()
@click.argument("who")
@writes
def reinstate(session: Session, who: str) -> None:
    """Reverse an expulsion, after an appeal or a mistake.

    Example: paircard player reinstate Polgar --why "appeal upheld"
    """
    session.ask(lambda now: [ask.ReinstatePlayer(player=now.player(who))])


@player.command("list")
@forms(html="Print the start list as a web page, for the screen or for A4.", csv=CSV)
@reads
def list_(session: Session) -> None:
    """List the players with their pairing numbers.

    Example: paircard player list
    """
    view = session.view()
    found, fide_mode = view.players(), view.state.fide_mode
    if session.shown(found, html=lambda: start_list_page(view), csv=lambda: players_csv(found, fide_mode)):
        return
    if not found.players:
        print_line("cli.players.nobody")
        return
    show_table("cli.table.players", map(player_row, found.players))
    numbered = say("cli.players.numbered", entered=len(found.players), value=found.numbers)
    click.echo(spoken(numbered) + outside_fide(fide_mode))


def player_row(one: Entrant) -> list[object]:
    """A player in a list, last what else there is to say: out, late, byes, later ratings, groups."""
    rating = spoken(say("cli.players.estimate", rating=one.rating)) if one.estimated else one.rating or "–"
    said = [say("cli.players.missed", value=one.missed)] if one.missed else []
    said += [say("cli.players.bye", letter=bye.letter, round=bye.round) for bye in one.byes]
    said += [say("cli.players.later", rating=later.rating, round=later.first) for later in one.ratings]
    said += [say("cli.players.in", names=one.groups)] if one.groups else []
    more = ", ".join((*filter(None, [one.status]), *map(spoken, said)))
    return [one.number or "–", shown_id(one.id), one.title, one.name, rating, one.federation, more]


FIELDS: Final = (
    *("number", "id", "title", "name", "sex", "rating", "estimated", "federation", "fide_id", "birth"),
    *("club", "status"),
)
"""What the file of a start list has of a player, and the groups."""


def players_csv(found: Players, fide_mode: bool) -> str:
    """The players as a spreadsheet takes them, and as an import reads them again."""
    names = ["player_id" if name == "id" else name for name in FIELDS]
    rows: list[list[object]] = []
    for one in found.players:
        values = [getattr(one, name) or "" for name in FIELDS]
        rows.append([*("yes" if value is True else value for value in values), " / ".join(one.groups)])
    return csv_text([*names, "groups"], rows, fide_mode)


# Byes and prohibited pairings


@click.group()
def bye() -> None:
    """Grant and revoke byes."""


@bye.command()
@click.argument("who", nargs=-1, required=True)
@click.argument("round", type=int)
@click.option("--half", "letter", flag_value="H", default="", help="Half a point.")
@click.option("--zero", "letter", flag_value="Z", help="No point: a known absence.")
@click.option("--full", "letter", flag_value="F", help="A full point, which FIDE deprecates.")
@writes
def grant(session: Session, who: tuple[str, ...], round: int, letter: str) -> None:
    """Grant a player, or several, a bye in a round.

    It is worth half a point where the regulations announce half-point byes, else nothing (C.04.2:3.3,
    2012 F.5). A bye that was forgotten can still be entered for the round in play, for a player who sits at
    no board.

    Example: paircard bye grant Polgar 3 --zero --why "wedding"
    """
    session.ask(lambda now: [ask.GrantBye(player=id, round=round, letter=letter) for id in people(now, who)])


@bye.command()
@click.argument("who", nargs=-1, required=True)
@click.argument("round", type=int)
@writes
def revoke(session: Session, who: tuple[str, ...], round: int) -> None:
    """Revoke a bye, or several: the player will play after all.

    Example: paircard bye revoke Polgar 3
    """
    session.ask(lambda now: [ask.RevokeBye(player=id, round=round) for id in people(now, who)])


def people(now: Moment, who: tuple[str, ...]) -> tuple[int, ...]:
    """The players meant, each by one word: the parts of one name mean one player."""
    meant: dict[int, str] = {}
    for word in who:
        id = now.player(word)
        if id in meant:
            name = now.state.players[id - 1].details.name
            raise Invalid("cli.one-player-twice", text=meant[id], record=word, name=name)
        meant[id] = word
    return tuple(meant)


@click.command()
@click.argument("who", nargs=-1, required=True)
@click.option("--from", "first", type=int, default=1, show_default=True, help="First round it holds for.")
@click.option("--to", "last", type=int, default=999, help="Last round it holds for; default: all.")
@writes
def prohibit(session: Session, who: tuple[str, ...], first: int, last: int) -> None:
    """Keep players apart: no two of them meet. Announced before round 1 is paired.

    Example: paircard prohibit "Polgar, Judit" "Polgar, Susan" --to 3
    """
    session.ask(lambda now: [ask.ProhibitPairing(players=people(now, who), first=first, last=last)])


@click.command()
@click.argument("who", nargs=-1, required=True)
@writes
def allow(session: Session, who: tuple[str, ...]) -> None:
    """Lift a prohibition that names these players, from the next pairing on.

    Example: paircard allow "Polgar, Judit" "Polgar, Susan"
    """
    session.ask(lambda now: [ask.LiftProhibition(players=people(now, who))])


@click.command(short_help="Remove the personal data of a player on request.")
@click.argument("player", required=False)
@click.option("--again", is_flag=True, help="Remove what a restored backup or an old bundle brought back.")
@click.option("--fact", "facts", type=int, multiple=True, help="Also the personal parts of this fact.")
@writes
def erase(session: Session, player: str | None, again: bool, facts: tuple[int, ...]) -> None:
    """Remove the personal data of a player on request.

    Name, sex, birth, ids, club, federation, the reasons given in facts about the player, and every other
    personal part that holds the whole name are removed from the store; lists then say (erased p2). Facts,
    boards, results, hashes, proofs and replays stay as they are. That it was done is itself a fact.

    Example: paircard erase Carlsen --why "request of 12 May" --ack erase-while-running
    """
    if again == bool(player):
        raise Misused("cli.erase-whom")
    store, tournament = session.office.store(), session.tournament
    if player is None:
        parts, unfinished = erase_again(store, tournament)
        finish()
        print_line("cli.players.erased-again", parts=parts)
    else:
        id = player_to_erase(store, tournament, player)
        done = erase_person(store, tournament, id, facts, by=session.person)
        session.tell(done, ends=False)
        say_what_remains(id, done.remains)
        unfinished = done.remains.unfinished
    if unfinished:
        print_line("cli.players.erasure-unfinished", reason=unfinished)


def say_what_remains(player: int, remains: Remains) -> None:
    """Say where the name still stands, and what no command reaches."""
    if not remains.searched:
        print_line("cli.players.erased-before")
    if remains.mentions:
        options = " ".join(f"--fact {version}" for version in remains.mentions)
        print_line("cli.players.mentioned", versions=remains.mentions)
        print_line("cli.players.if-meant", id=f"p{player}", value=options)
    if remains.recorded:
        print_line("cli.players.in-the-chain", versions=remains.recorded)
    for id in remains.elsewhere:
        print_line("cli.players.in-another", id=id)
    print_line("cli.players.not-reached", reason="; ".join(remains.out_of_reach))
