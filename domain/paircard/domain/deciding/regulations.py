"""Deciding about the event as a whole: opening it, changing its regulations, leaving FIDE mode."""

import hashlib
from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from paircard.domain import commands as ask
from paircard.domain import events
from paircard.domain.deciding.decision import (
    Follows,
    caution,
    need_reason,
    need_results,
    need_running,
    players_of,
    regulations_of,
)
from paircard.domain.deciding.players import correct, rating_by
from paircard.domain.errors import Caution, Duplicate, Invalid, NotNow, RegulationsLocked, StaleDecision
from paircard.domain.events import IRREGULAR
from paircard.domain.state import Tournament, entered, evolve
from paircard.domain.values.regulations import (
    DESCRIPTIVE,
    NUMBERING,
    RegulationChanges,
    Regulations,
    changed,
    check_announced,
    check_regulations,
    given,
    lists_of,
)
from paircard.domain.values.results import STANDARD, Scoring
from paircard.domain.values.rules import RULES, was_in_force
from paircard.domain.values.text import LONGEST_LINE, checked_text

LONGEST_ADJUSTMENT: Final = 200_000
"""Characters: a round of 9,999 players, described board by board, twice."""


def open_tournament(state: Tournament, command: ask.OpenTournament) -> Follows:
    """Begin the record of a tournament, in FIDE mode (VCL 40, 56)."""
    if state.version:
        raise Duplicate("tournament-open", name=state.regulations.name)
    check_regulations(command.regulations)
    yield events.TournamentOpened(regulations=replace(command.regulations, numbering=NUMBERING))
    yield from _rules_of_another_time(command.regulations)
    filed = command.filed
    if filed is None:
        _need_no_rounds(command.regulations, command.regulations.rounds)
        _need_no_bye(command.regulations, STANDARD)
        check_announced(command.regulations)
        yield from _order(command.regulations)
        return
    checked_text("source", filed.source, required=True, limit=500)
    checked_text("format", filed.format, required=True, limit=40)
    checked_text("digest", filed.digest, limit=64)
    for adjustment in filed.adjustments:
        checked_text("adjustment", adjustment, required=True, limit=LONGEST_ADJUSTMENT)
    for line, _ in filed.kept or ():
        checked_text("line", line, required=True, limit=LONGEST_LINE)
    # VCL 55
    irregular = [note.removeprefix("Import @ ") for note in filed.adjustments if note.startswith(IRREGULAR)]
    if irregular:
        rules, rounds = command.regulations.edition, "; ".join(irregular)
        yield caution("irregular-import.file", file=filed.source, edition=rules, reason=rounds)
    yield filed


def _need_no_rounds(regulations: Regulations, given: int) -> None:
    """Refuse a number of rounds where it follows from that of the players."""
    if given and RULES[regulations.edition].rounds_follow_field:
        raise Invalid("rounds-follow-players")


def _need_no_bye(regulations: Regulations, before: Scoring) -> None:
    """Refuse points of their own for a bye that the rules do not give; they follow the win (C.04.1:3)."""
    edition, now = regulations.edition, regulations.scoring
    if "pab" not in RULES[edition].settings and now.pab not in (now.win, before.pab):
        raise Invalid("regulations-of-other-rules", edition=edition, labels=["pab"])


def _rules_of_another_time(regulations: Regulations) -> Iterator[Caution]:
    """FIDE mode wants the rules in force on the first day, if that is known."""
    edition, day = regulations.edition, regulations.starts
    if not day or was_in_force(edition, day):
        return
    rules = RULES[edition]
    if day < rules.in_force_from:
        yield caution("edition-not-in-force.yet", edition=edition, when=rules.in_force_from, day=day)
    else:
        yield caution("edition-not-in-force.replaced", edition=edition, when=rules.replaced_from, day=day)


def _order(regulations: Regulations) -> Iterator[Caution]:
    """Whether the initial order is by strength first."""
    if regulations.initial_order[0] != "rating":
        yield caution("initial-order", known=regulations.initial_order)


def change(state: Tournament, command: ask.ChangeRegulations) -> Follows:
    """Change what was announced; once round 1 is paired only what no pairing depends on."""
    before = need_running(state)
    after = changed(before, command.changes)
    news = {name for name in given(command.changes) if getattr(after, name) != getattr(before, name)}
    if state.paired and (locked := news - DESCRIPTIVE - LATE - FREE):
        raise RegulationsLocked("regulations-locked", labels=sorted(locked))
    check_regulations(after)
    _need_no_rounds(after, command.changes.rounds or 0)
    _need_no_bye(after, before.scoring)
    if not state.imported or "dates" in given(command.changes):
        check_announced(after)
    if not news:
        raise Duplicate("regulations-same")
    if state.paired and (late := sorted(news - DESCRIPTIVE)):
        yield _late_change(state, command, before, after, late)
    if state.fide_mode and news & {"edition", "starts"}:
        yield from _rules_of_another_time(after)
    if not state.paired and "initial_order" in news:
        yield from _order(after)
    latest = max((round for player in entered(state) for round, _ in player.byes), default=0)
    if latest > after.rounds:
        raise Invalid("bye-beyond", round=latest, rounds=after.rounds)
    changes = RegulationChanges(**{name: getattr(after, name) for name in news})
    fact = events.TournamentDetailsChanged(changes=changes)
    yield fact
    if lists_of(after) != lists_of(before):  # VCL 123, 127: each player's rating is that of the first list
        state = evolve(state, fact)
        for player in entered(state):
            if rating := rating_by(player.details, after):
                asked = ask.CorrectPlayer(meta=command.meta, player=player.id, changes=rating)
                yield from correct(state, asked)


LATE: Final = frozenset(
    {"rounds", "tiebreaks", "tiebreak_ratings", "last_half_bye", "half_byes", "rating_lists", "variant"}
)
"""Regulations that can be changed after round 1, outside FIDE mode."""
FREE: Final = frozenset({"categories", "prizes"})
"""Regulations of which FIDE has no rule; after round 1 they take a reason."""


def _late_change(
    state: Tournament,
    command: ask.ChangeRegulations,
    before: Regulations,
    after: Regulations,
    labels: list[str],
) -> Caution:
    """Announced regulations stand once round 1 is paired; what was forgotten may be added (VCL 57, 200)."""
    if FREE.issuperset(labels):  # no rule of FIDE asks for them; who plays has to know them
        need_reason(command.meta, "deed.late-prizes")
        return caution("late-prizes", labels=labels)
    if labels == ["tiebreaks"] and not before.tiebreaks:
        need_reason(command.meta, "deed.late-tiebreaks")
        return caution("late-tiebreaks", codes=after.tiebreaks)
    if state.fide_mode or not FREE.isdisjoint(labels):
        raise RegulationsLocked("regulations-locked", labels=labels)
    if after.rounds < state.paired:
        raise Invalid("rounds-too-few", last=state.paired)
    need_reason(command.meta, "deed.late-change", labels=labels)
    return caution("late-change", labels=labels)


def publish_prizes(state: Tournament, command: ask.PublishPrizes) -> Follows:
    """Put the list of prizes on record once the last result is there; a second list needs a reason."""
    regulations = regulations_of(state)
    if not (regulations.prizes and regulations.prizes.prizes):
        raise NotNow("no-prizes")
    if state.paired < regulations.rounds and not state.closed:
        raise NotNow("prizes-too-early", last=state.paired, rounds=regulations.rounds)
    need_results(state, "prizes")
    if command.based_on != state.version:
        raise StaleDecision("prizes-outdated", based_on=command.based_on, version=state.version)
    players_of(state, [award.player for award in command.awards])
    if state.prizes is not None:
        if state.prizes.awards == command.awards:
            raise Duplicate("prizes-same")
        need_reason(command.meta, "deed.prizes-again")
        yield caution("prizes-again")
    yield events.PrizesPublished(
        awards=command.awards, based_on=command.based_on, computed_from=command.computed_from
    )


def leave_fide_mode(state: Tournament, command: ask.LeaveFideMode) -> Follows:
    need_running(state)
    if not state.fide_mode:
        raise Duplicate("fide-mode-left")
    need_reason(command.meta, "deed.leaving-fide-mode")
    proof = hashlib.sha256(f"leave-fide-mode/{state.version}/{command.meta.why}".encode()).hexdigest()[:6]
    yield caution("leave-fide-mode", proof="" if command.filed and state.imported else proof)
    yield events.FideModeLeft(round=state.paired)
