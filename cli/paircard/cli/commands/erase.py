"""``erase``: remove the personal data of a player on request."""

import click

from paircard.cli.options import writes
from paircard.cli.refusals import Misused
from paircard.cli.session import Session, finish
from paircard.domain.values.text import counted, named
from paircard.service.erasure import erase_again, erase_person, player_to_erase
from paircard.service.views import Remains


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

    \b
    Example:
      paircard erase Carlsen --why "request of 12 May" --ack erase-while-running
    """
    if again == bool(player):
        raise Misused("cli.erase-whom")
    store, tournament = session.office.store(), session.tournament
    if player is None:
        parts, unfinished = erase_again(store, tournament)
        finish()
        click.echo(f"{counted(parts, 'personal part')} removed again")
    else:
        id = player_to_erase(store, tournament, player)
        done = erase_person(store, tournament, id, facts, by=session.person)
        session.tell(done, ends=False)
        say_what_remains(id, done.remains)
        unfinished = done.remains.unfinished
    if unfinished:
        click.echo(f"not finished: {unfinished}")


def say_what_remains(player: int, remains: Remains) -> None:
    """Say where the name still stands, and what no command reaches."""
    if not remains.searched:
        click.echo("the name was erased before, so other facts and tournaments could not be searched for it")
    if remains.mentions:
        options = " ".join(f"--fact {version}" for version in remains.mentions)
        click.echo(
            f"{named('fact', remains.mentions)}: a personal part of somebody else holds the family name"
        )
        click.echo(f"if this person is meant there: paircard erase p{player} {options} --why …")
    if remains.recorded:
        click.echo(
            f"{named('fact', remains.recorded)}: the family name is in the chain itself, where it stays"
        )
    for id in remains.elsewhere:
        click.echo(f"the same name is in another tournament of this store: paircard erase -t {id} …")
    click.echo("not reached from here: " + "; ".join(remains.out_of_reach))
