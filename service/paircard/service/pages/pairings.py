"""The pages of a round in the browser: by board, by name, and where a player sits."""

from paircard.domain.values.names import spellings
from paircard.domain.values.text import is_number
from paircard.service.moment import Moment
from paircard.service.pages.changes import corrections, latest
from paircard.service.pages.event import event_of
from paircard.service.pages.paper import about
from paircard.service.pages.rendering import FILE, Frame, render
from paircard.service.pages.rounds import NameLine, lines_by_name, results_in


def pairings_page(
    moment: Moment, round: int | None = None, frame: Frame = FILE, *, by_name: bool = False, find: str = ""
) -> str:
    """A round, the last one by default; before round 1, an empty page that says so."""
    event = event_of(moment)
    if not moment.history.paired and round is None:
        return render("pairings_none.html", frame, event=event)
    view = moment.boards(round)
    names = lines_by_name(view)
    changed = corrections(moment.facts)
    return render(
        "pairings.html",
        frame,
        event=event,
        view=view,
        by_name=by_name,
        names=names,
        find=find,
        found=matching(names, find) if find.strip() else (),
        results=results_in(view),
        latest=latest(moment.facts, view.round),
        corrections=changed[:3],
        corrected={(each.round, each.board): each for each in changed},
        **about(moment, view),
    )


def matching(names: tuple[NameLine, ...], text: str) -> tuple[NameLine, ...]:
    """Those with this pairing number, or whose name has these words in it, accents left aside."""
    if is_number(text.strip()):
        return tuple(line for line in names if line.player.number == int(text))
    wanted = [one.split() for one in spellings(text)]

    def fits(name: str) -> bool:
        return any(all(word in one for word in words) for words in wanted for one in spellings(name))

    return tuple(line for line in names if fits(line.player.name)) if wanted[0] else ()


def corrections_page(moment: Moment, frame: Frame = FILE) -> str:
    """Everything that was put right after it was recorded, with its date and what it counts for."""
    made, players = corrections(moment.facts), moment.state.players
    games = {
        (one.version, one.board): moment.history.rounds[one.round - 1].games()[one.board - 1] for one in made
    }
    return render(
        "corrections.html",
        frame,
        event=event_of(moment),
        corrections=made,
        pairs={
            at: (players[game.white - 1].details, players[game.black - 1].details)
            for at, game in games.items()
        },
    )
