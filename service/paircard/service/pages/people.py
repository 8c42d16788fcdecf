"""Players at the arbiter's desk: the list, and the page of one."""

from collections.abc import Mapping
from typing import Final

from paircard.domain.deciding.decision import player_of
from paircard.domain.state import participants
from paircard.service.moment import Moment
from paircard.service.pages.event import event_of
from paircard.service.pages.rendering import Frame, render
from paircard.service.pages.words import Said

DATA: Final = ("name", "title", "rating", "federation", "fide_id", "birth", "club")
"""A player's data that a form has."""


def people_page(
    moment: Moment,
    frame: Frame,
    *,
    who: str,
    key: str,
    refusal: Said | None = None,
    given: Mapping[str, str] = {},
) -> str:
    """Everybody, and a form for a new player."""
    return render(
        "desk_players.html",
        frame,
        event=event_of(moment),
        who=who,
        key=key,
        view=moment.players(),
        fields=DATA,
        late=moment.history.paired > 0,
        refusal=refusal,
        given=given,
    )


def person_page(
    moment: Moment, player: int, frame: Frame, *, who: str, key: str, refusal: Said | None = None
) -> str:
    """One player: data to correct, byes to grant and revoke, whom not to meet, withdrawal."""
    player_of(moment.state, player)
    details = moment.state.players[player - 1].details
    played = moment.history.paired
    everybody = moment.players().players
    bans = [set(ban.players) for ban in moment.state.prohibitions if ban.last > played]
    return render(
        "desk_player.html",
        frame,
        event=event_of(moment),
        who=who,
        key=key,
        player=next(one for one in everybody if one.id == player),
        others=[one for one in everybody if one.id != player],
        kept=[one for one in everybody if {one.id, player} in bans],
        fields=DATA,
        given={name: getattr(details, name) or "" for name in DATA},
        coming=range(played + 1, moment.regulations.rounds + 1),
        paired=played,
        never_paired=player not in participants(moment.state),
        refusal=refusal,
    )
