"""An entry made by mistake is removed before it was paired, a second entry of one person is merged."""

import pytest

from paircard.domain.commands import (
    AssignNumbers,
    CorrectPlayer,
    GrantBye,
    MergePlayers,
    PublishRound,
    RegisterPlayer,
    RemovePlayer,
    WithdrawPlayer,
)
from paircard.domain.deciding.decider import decide
from paircard.domain.deciding.decision import player_of
from paircard.domain.errors import Invalid, NotNow, ReasonMissing, Unknown
from paircard.domain.events import PlayerDetailsCorrected, PlayerMerged, PlayerRemoved
from paircard.domain.messages import say
from paircard.domain.state import entered
from paircard.domain.values.players import Changes, Details
from tests.domain.scenes import after, ask, opened, paired, pairing, played, ready, registered, when
from tests.refusals import refuses, sentence, warns

FIRST, SECOND = ((1, 3), (4, 2)), ((2, 1), (3, 4))


def test_an_entry_is_removed_and_its_id_is_not_given_again() -> None:
    state, events = when(registered(4), ask(RemovePlayer, player=4))

    assert events == (PlayerRemoved(player=4),)
    assert [one.id for one in entered(state)] == [1, 2, 3]
    state = after(state, ask(RegisterPlayer, details=Details(name="Player 04", rating=1)))
    assert [one.id for one in entered(state)] == [1, 2, 3, 5]


@pytest.mark.parametrize(
    "command",
    [
        ask(RemovePlayer, player=4),
        ask(WithdrawPlayer, player=4),
        ask(GrantBye, player=4, round=1),
        ask(CorrectPlayer, player=4, changes=Changes(club="X")),
        ask(MergePlayers, player=4, into=1),
        ask(MergePlayers, player=1, into=4),
    ],
)
def test_nothing_is_done_with_an_entry_that_was_removed(command: RemovePlayer) -> None:
    state = after(registered(4), ask(RemovePlayer, player=4))

    with refuses(Unknown, "entry-removed", player=4):
        decide(state, command)


def test_who_is_paired_is_not_removed() -> None:
    state = ready(4)
    state = paired(state, *FIRST)
    with refuses(NotNow, "entry-paired", player=4, numbers=(1,), cause="removed"):
        decide(state, ask(RemovePlayer, player=4, why="slip"))


def test_a_late_entry_is_removed_with_a_reason_as_long_as_it_was_never_paired() -> None:
    state = played(ready(4), *FIRST)
    state = after(state, ask(RegisterPlayer, details=Details(name="Late"), why="train"))

    with refuses(ReasonMissing, "reason-missing", deed=say("deed.removing", player=5)):
        decide(state, ask(RemovePlayer, player=5))
    state = after(state, ask(RemovePlayer, player=5, why="entered twice"))

    state = paired(state, *SECOND)
    assert dict(state.rounds[-1].numbers).keys() == {1, 2, 3, 4}


def test_a_declared_order_names_those_who_are_left() -> None:
    state = after(registered(4, initial_order=("declared",)), ask(RemovePlayer, player=2))

    with refuses(Invalid, "order-incomplete", count=3):
        decide(state, ask(AssignNumbers, order=(1, 2, 3, 4), level=3))
    assert after(state, ask(AssignNumbers, order=(4, 3, 1), level=3)).order == (4, 3, 1)


def test_a_second_entry_goes_and_the_first_takes_over_what_it_lacks() -> None:
    state = after(
        opened(),
        ask(RegisterPlayer, details=Details(name="Kovač, Iván", rating=1576, club="Riva")),
        ask(RegisterPlayer, details=Details(name="Ivan Kovac", fide_id=7, club="Trento"), level=3),
    )

    state, events = when(state, ask(MergePlayers, player=2, into=1))

    assert events == (
        PlayerMerged(player=2, into=1),
        PlayerDetailsCorrected(player=1, changes=Changes(fide_id=7)),
    )
    [left] = entered(state)
    assert (left.details.name, left.details.fide_id, left.details.club) == ("Kovač, Iván", 7, "Riva")


def test_two_people_are_not_merged_by_a_slip() -> None:
    with warns("not-alike", player=2, other=1):
        decide(registered(4), ask(MergePlayers, player=2, into=1))
    with refuses(Invalid, "merged-with-itself", player=2):
        decide(registered(4), ask(MergePlayers, player=2, into=2))


def test_entries_with_games_stay_two_entries() -> None:
    state = played(ready(4), *FIRST)
    late = after(state, ask(RegisterPlayer, details=Details(name="Late"), why="train"))

    with refuses(NotNow, "entries-met", player=1, other=3, round=1):
        decide(late, ask(MergePlayers, player=1, into=3))
    with refuses(NotNow, "entries-both-paired", player=1, other=2, round=1):
        decide(late, ask(MergePlayers, player=1, into=2))
    with refuses(NotNow, "merge-turned", player=1, other=5):
        decide(late, ask(MergePlayers, player=1, into=5))
    with refuses(ReasonMissing, "reason-missing", deed=say("deed.merging", player=1)):
        decide(late, ask(MergePlayers, player=5, into=1, level=3))
    decide(late, ask(MergePlayers, player=5, into=1, why="entered twice", level=3))


def test_a_late_entry_that_was_a_slip_does_not_outdate_a_pairing() -> None:
    state = ready(4)
    state = after(state, pairing(state, *FIRST, level=2))
    state = after(state, ask(RegisterPlayer, details=Details(name="Late"), why="train"))
    with warns("pairing-outdated", players=(5,), round=1, news=(say("news.entered", player=5),)):
        decide(state, ask(PublishRound, round=1))
    state = after(state, ask(RemovePlayer, player=5, why="slip"))
    decide(state, ask(PublishRound, round=1))


def test_an_entry_that_was_removed_is_refused_by_name_outside_a_command_too() -> None:
    state = after(registered(3), ask(RemovePlayer, player=2))

    with refuses(Unknown, "entry-removed", player=2) as refusal:
        player_of(state, 2)

    assert str(refusal.value) == sentence("entry-removed", people={2: "Player 02"}, player=2)
