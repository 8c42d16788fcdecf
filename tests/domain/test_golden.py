"""The stored bytes of every fact are pinned: what was written once can be read for ever.

``golden_events.jsonl`` is a log of one tournament, a fact per line as it is stored. Lines are only
ever added, at the end: run ``PYTHONPATH=domain:. python -m tests.domain.test_golden`` to add them.
"""

from hashlib import sha256
from pathlib import Path

import msgspec
import pytest

from paircard.domain import events as e
from paircard.domain.errors import CorruptFile
from paircard.domain.events import EVENT_TYPES, Event, Recorded
from paircard.domain.log.backends import postgres_database, sqlite
from paircard.domain.log.stored import (
    GENESIS,
    IDENTITY,
    PERSONAL,
    StoredFact,
    as_stored,
    check_chain,
    decode_fact,
    payload_of,
    seal,
    topic_of,
)
from paircard.domain.values.players import Changes, Details
from paircard.domain.values.prizes import Category, Condition, Prize, PrizeRules
from paircard.domain.values.regulations import RegulationChanges, Regulations
from paircard.domain.values.results import Outcome, Scoring
from tests.refusals import refuses

SHAPES = {3: "91b6ec3b47e70ef5", 4: "655206e2a049706b", 5: "aa447a7235c49a64", 6: "cf43bac5669b6379"}
"""By format, what is stored: kinds of facts, their fields, and which of these are personal."""
GOLDEN = Path(__file__).parent / "golden_events.jsonl"
TOURNAMENT = "0123456789abcdef0123456789abcdef"

FACTS: tuple[Event, ...] = (
    e.TournamentOpened(regulations=Regulations(name="Open di Trento", rounds=9)),
    e.TournamentOpened(
        regulations=Regulations(
            name="Åre Chess “Week”",
            rounds=7,
            edition="dutch-2017",
            scoring=Scoring(win=30, draw=10, loss=0, absence=0, pab=20),
            acceleration="none",
            tiebreaks=("BH-C1", "BH", "SB"),
            initial_order=("rating", "name"),
            last_half_bye=5,
            starts="2026-11-16",
            ends="2026-11-22",
            place="Åre",
            federation="SWE",
            organiser="Åre SK",
            chief_arbiter="Anna Arbiter",
            arbiters=("Bo Ek", "Li Wu"),
            time_control="90+30",
            tempo="standard",
            rated=True,
            dates=("2026-11-16", "2026-11-17"),
        )
    ),
    e.TournamentImported(source="old.trf", format="trf16", digest="ab" * 32, adjustments=("line 3: 013",)),
    e.TournamentDetailsChanged(changes=RegulationChanges(place="Trento", rounds=7, tiebreaks=())),
    e.PlayerRegistered(player=1, details=Details(name="Polgár, Judit")),
    e.PlayerRegistered(
        player=2,
        details=Details(
            name="Anand, Viswanathan",
            sex="m",
            title="GM",
            rating=2750,
            fide_rating=2751,
            national_rating=2800,
            rating_source="FIDE 2026-11",
            k_factor=10,
            federation="IND",
            fide_id=5000017,
            national_id="TN-1",
            birth="1969-12-11",
            club="Chennai",
            half_byes=False,
        ),
        missed="HZ",
    ),
    e.PlayerDetailsCorrected(player=1, changes=Changes(name="Polgar, Judit", rating=2675, title="GM")),
    e.RatingCorrected(player=2, rating=2743, was=2750),
    e.PlayerWithdrawn(player=2, round=5),
    e.PlayerReturned(player=2, round=6),
    e.PlayerExpelled(player=2, round=7, ranked=True),
    e.ByeGranted(player=1, round=3, letter="H"),
    e.ByeRevoked(player=1, round=3),
    e.PairingProhibited(players=(1, 2), first=1, last=3),
    e.InitialColourDrawn(colour="b"),
    e.PairingNumbersAssigned(order=(2, 1), cause="initial"),
    e.PairingNumbersFrozen(round=4),
    e.RoundPaired(
        round=1,
        edition="dutch-2026",
        engine="paircard 0.1.0",
        based_on=14,
        snapshot="cd" * 32,
        numbers=((2, 1), (1, 2), (3, 3)),
        boards=((2, 1),),
        pab=3,
        absent=((4, "H"), (5, "Z")),
        origin="engine",
    ),
    e.RoundUnpaired(round=1),
    e.RoundPublished(round=1),
    e.ManualPairingBegun(round=1),
    e.PairingsAltered(
        round=1,
        boards=((1, 2),),
        pab=3,
        engine_boards=((2, 1),),
        engine_pab=3,
        numbers=((2, 1), (1, 2), (3, 3)),
        absent=((4, "H"),),
    ),
    e.ManualPairingEnded(round=1, altered=True),
    e.ResultRecorded(round=1, board=1, outcome=Outcome("=", "0")),
    e.GameAdjourned(round=1, board=2),
    e.ResultCorrected(
        round=1, board=1, outcome=Outcome("+", "-"), was=Outcome("1", "0"), scope="pairing-after-next"
    ),
    e.ColoursCorrected(round=1, board=1, white=2, black=1, scope="pairing-next"),
    e.RoundCompleted(round=1),
    e.LotsDrawn(players=(2, 1), method="hand"),
    e.ExternalTiebreakSet(player=1, name="Play-off", value=150),
    e.FideModeLeft(round=1),
    e.TournamentClosed(rounds=9),
    e.RatingListed(player=2, rating=2760, first=4),
    e.TournamentImported(source="a.trf", format="TRF26", kept=(("GER    1      Li", (1,)), ("222 5400", ()))),
    e.TournamentOpened(regulations=Regulations(name="League", rounds=9, tiebreak_ratings="round")),
    e.TournamentOpened(
        regulations=Regulations(name="Freestyle", rounds=9, half_byes=2, variant="chess960", numbering=2)
    ),
    e.PlayerRegistered(player=3, details=Details(name="Neu, Ina", rating=1500, estimated=True)),
    e.PlayerReinstated(player=2, round=8),
    e.ProhibitionLifted(players=(1, 2), first=1, last=3, round=2),
    e.InitialColourDrawn(colour="w", method="entered"),
    e.PairingNumbersFrozen(round=4, numbers=((2, 1), (1, 2))),
    e.ResultCleared(round=1, board=1, was=Outcome("1", "0")),
    e.RoundReopened(round=1),
    e.TournamentReopened(rounds=9),
    e.PersonErased(player=2, pieces=((5, "ab" * 32), (6, "cd" * 32))),
    e.BoardsCorrected(
        round=1,
        boards=(
            e.Played(board=1, white=1, black=4, outcome=Outcome("1", "0")),
            e.Played(board=2, white=2, black=3),
        ),
        was=(
            e.Played(board=1, white=1, black=3, outcome=Outcome("=", "=")),
            e.Played(board=2, white=2, black=4, outcome=Outcome("?", "?")),
        ),
        scope="rating-report-only",
        pab=6,
        pab_was=5,
    ),
    e.PlayerRemoved(player=4),
    e.PlayerMerged(player=5, into=1),
    e.RatingCorrected(player=2, rating=2744, was=2743, scope="pairing-next"),
    e.TournamentDetailsChanged(
        changes=RegulationChanges(rounds=14, edition="round-robin", cycles=2, exchange=False, table="hand")
    ),
    e.PairingNumbersAssigned(order=(2, 1), cause="lots", seed="5f0c"),
    e.ResultRecorded(round=3, board=1, outcome=Outcome("-", "+"), reason="withdrawal"),
    e.TournamentDetailsChanged(
        changes=RegulationChanges(
            categories=(
                Category(name="women", conditions=(Condition(field="sex", values=("w",)),), least=3),
                Category(
                    name="U16 of clubs",
                    conditions=(
                        Condition(field="birth", youth=16, key_date="2026-09-01"),
                        Condition(field="birth", senior=65),
                        Condition(field="rating", least=1200, below=1800),
                    ),
                    next="women",
                ),
            ),
            prizes=PrizeRules(
                prizes=(
                    Prize(name="first", amount=20000, thing="cup"),
                    Prize(name="best woman", category="women", place=1, thing="book", value=1500, group="x"),
                ),
                currency="CHF",
                per_person="group",
                sharing="hort",
                special_sharing="place",
                choosing="best",
                unit=100,
                least_part=500,
                short="half",
                unclaimed="next",
                all_rounds=True,
                unrated_half=True,
            ),
        )
    ),
    e.PrizesPublished(
        awards=(
            e.Award(prize="first", player=1, amount=20000, thing="cup"),
            e.Award(prize="best woman", player=2),
        ),
        based_on=53,
        computed_from="ab" * 32,
    ),
)


def sealed(facts: tuple[Event, ...]) -> list[Recorded]:
    previous, log = GENESIS, []
    for version, fact in enumerate(facts, start=1):
        draft = Recorded(
            tournament=TOURNAMENT,
            version=version,
            fact=fact,
            who="Anna Årbiter",
            when="2026-11-16T09:30:00Z",
            why="signed “by both”" if version % 2 else "",
            command_id=f"command-{version}",
            acknowledged=("3:correction",) if version % 3 == 0 else (),
            previous="",
            hash="",
        )
        one = seal(draft, previous)
        recorded, stored = one.fact, one.stored
        assert stored == as_stored(recorded)
        log.append(recorded)
        previous = recorded.hash
    return log


def rows(facts: tuple[Event, ...]) -> list[StoredFact]:
    return [as_stored(recorded) for recorded in sealed(facts)]


def golden_lines() -> list[bytes]:
    return GOLDEN.read_bytes().splitlines()


def read(line: bytes, version: int) -> Recorded:
    topic = f"{msgspec.json.decode(line)['fact']['type']}/1"
    return decode_fact(StoredFact(TOURNAMENT, version, topic, line))


def test_an_envelope_that_says_what_a_name_rests_on_has_the_agreed_bytes_and_hash() -> None:
    recorded = Recorded(
        tournament=TOURNAMENT,
        version=7,
        fact=e.ResultRecorded(round=3, board=150, outcome=Outcome("1", "0")),
        who="anna",
        when="2026-11-16T09:30:00Z",
        command_id="c24",
        through="key:a7388b9f",
        signed=("YZOZBzZ+z0AGoVPtvQBrsuQr+oKIBDRDieAOT7x0vs5cE/8BTOKIQTgdpdldNvF8douFeWDh25LnM1xAvy6YAQ=="),
        previous="",
        hash="",
    )

    sealed = seal(recorded, GENESIS)

    assert sealed.stored.state.startswith(
        b'{"fact":{"type":"result-recorded","round":3,"board":150,"outcome":["1","0"]},"who":"anna",'
        b'"when":"2026-11-16T09:30:00Z","why":"","command_id":"c24","acknowledged":[],'
        b'"through":"key:a7388b9f","signed":"YZOZ'
    )
    assert (sealed.fact.hash[:8], sealed.fact.hash[-6:]) == ("936dc8c5", "3e1333")
    assert decode_fact(sealed.stored) == sealed.fact


def test_every_fact_is_written_as_it_always_was() -> None:
    assert [row.state for row in rows(FACTS)] == golden_lines()


def test_every_fact_ever_written_is_read_as_what_it_was() -> None:
    log = [read(line, version) for version, line in enumerate(golden_lines(), start=1)]

    assert [recorded.fact for recorded in log] == list(FACTS)
    assert check_chain(TOURNAMENT, rows(FACTS)) == (len(log), log[-1].hash)


def test_every_kind_of_fact_is_pinned() -> None:
    pinned = {type(read(line, n).fact) for n, line in enumerate(golden_lines(), start=1)}

    assert pinned == set(EVENT_TYPES)


def test_whoever_changes_what_is_stored_raises_the_format() -> None:
    """A program that does not know a field decides without it: two releases must not write one store.

    If this fails, raise FORMAT of both stores and add the new digest.
    """
    kinds: tuple[type[msgspec.Struct], ...]
    kinds = (*EVENT_TYPES, e.Played, Details, Changes, Regulations, RegulationChanges, Scoring, Recorded)
    kinds += (Category, Condition, Prize, PrizeRules, e.Award)
    names = {kind.__name__: [field.encode_name for field in msgspec.structs.fields(kind)] for kind in kinds}

    digest = sha256(msgspec.json.encode([names, PERSONAL, IDENTITY])).hexdigest()[:16]

    assert postgres_database.FORMAT == sqlite.FORMAT == max(SHAPES)
    assert SHAPES[sqlite.FORMAT] == digest


def test_stored_names_are_unique_and_no_import_path() -> None:
    tags = [str(kind.__struct_config__.tag) for kind in EVENT_TYPES]

    assert len(set(tags)) == len(tags)
    assert all(tag.replace("-", "").isalpha() and tag.islower() for tag in tags)
    assert b"paircard.domain" not in GOLDEN.read_bytes()


def test_the_chain_can_be_checked_with_the_standard_library_alone() -> None:
    import hashlib
    import json

    previous = "0" * 64
    for version, line in enumerate(golden_lines(), start=1):
        stored = json.loads(line)
        hash, before = stored.pop("hash"), stored.pop("previous")
        payload = json.dumps(stored, ensure_ascii=False, separators=(",", ":"))
        head = f"{previous}\n{TOURNAMENT}\n{version}\n{stored['fact']['type']}/1\n"

        assert before == previous
        assert hashlib.sha256((head + payload).encode()).hexdigest() == hash
        previous = hash


@pytest.mark.parametrize("place", range(len(FACTS) - 1))
def test_a_fact_taken_out_of_the_log_is_missed(place: int) -> None:
    """All but the last: a shortened log is a log, only a checkpoint held elsewhere shows it."""
    log = rows(FACTS)

    with refuses(CorruptFile, "store.fact-missing", version=place + 1):
        check_chain(TOURNAMENT, log[:place] + log[place + 1 :])


def test_a_fact_put_in_another_place_or_tournament_is_noticed() -> None:
    log = rows(FACTS)
    renumbered = [
        log[0],
        *(msgspec.structs.replace(row, originator_version=row.originator_version - 1) for row in log[2:]),
    ]

    with refuses(CorruptFile, "store.fact-changed"):
        check_chain("f" * 32, log)
    with refuses(CorruptFile, "store.fact-changed"):
        check_chain(TOURNAMENT, renumbered)


def test_topics_and_payloads_belong_to_the_format() -> None:
    recorded = sealed(FACTS)[23]

    assert topic_of(recorded.fact) == "result-recorded/1"
    assert payload_of(recorded).decode() == (
        '{"fact":{"type":"result-recorded","round":1,"board":1,"outcome":["=","0"]},'
        '"who":"Anna Årbiter","when":"2026-11-16T09:30:00Z","why":"",'
        '"command_id":"command-24","acknowledged":["3:correction"]}'
    )


if __name__ == "__main__":
    new = [row.state for row in rows(FACTS)]
    old = golden_lines() if GOLDEN.exists() else []
    assert new[: len(old)] == old, "a line that was written once has changed"
    GOLDEN.write_bytes(b"".join(line + b"\n" for line in new))
