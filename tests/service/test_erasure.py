"""A person is forgotten, and every chain, proof, bundle and replay still holds."""

import random
import sqlite3
from base64 import b64decode
from hashlib import sha256
from pathlib import Path

import msgspec
import psycopg
import pytest

from paircard.cli import verify as alone
from paircard.domain.commands import (
    ChangeRegulations,
    ClearResult,
    CorrectResult,
    ErasePerson,
    RegisterPlayer,
    ReturnPlayer,
    WithdrawPlayer,
)
from paircard.domain.errors import Invalid, NeedsAcknowledgement, NotNow, ReasonMissing
from paircard.domain.log.store import Tournaments, prepare
from paircard.domain.log.stored import GENESIS, erased_parts, seal
from paircard.domain.messages import say
from paircard.domain.proof.bundles import export_bundle, read_bundle, take_in, write_bundle
from paircard.domain.proof.copies import copy
from paircard.domain.proof.note import Signer
from paircard.domain.speaking import Speaker
from paircard.domain.values.players import Details
from paircard.domain.values.regulations import RegulationChanges, Regulations
from paircard.domain.values.results import Outcome
from paircard.service import Office, Tournament, person
from paircard.service.erasure import erase_again, erase_person
from paircard.service.transparency import prove_fact, publish_tree, verify_tree
from tests.postgres import Server
from tests.proofs import proven
from tests.read_tables import catch_up
from tests.refusals import refuses

ANNA = person("anna")
ASKED = ANNA.because("request of 12 May").accepting("erase-while-running")
FEDERATION = Signer("example.org/federation", bytes(range(32)))


def played(office: Office) -> Tournament:
    """Six players of equal rating, so that names decide their numbers; two rounds, one withdrawal."""
    t = office.new(Regulations(name="Open", rounds=4, chief_arbiter="Olga Official"), by=ANNA)
    people = [
        RegisterPlayer(
            details=Details(
                name=f"Secret{n}, Person", rating=2000, birth=f"199{n}-03-04", fide_id=7712340 + n
            )
        )
        for n in (5, 3, 1, 4, 2, 6)
    ]
    t.ask(*people, by=ANNA)
    t.draw_colour("w", by=ANNA)
    for round in (1, 2):
        t.pair(by=ANNA)
        t.publish(by=ANNA)
        t.record(round, {1: "1-0", 2: "½-½", 3: "0-1"}, by=ANNA)
    t.ask(WithdrawPlayer(player=2), by=ANNA.because("Secret3 is ill at home"))
    return t


def test_a_person_is_erased_and_everything_still_holds(location: str, tmp_path: Path) -> None:
    with Office.create(location) as office:
        t, store = played(office), office.store()
        publish_tree(store, tmp_path / "tree", FEDERATION)
        before = [row.state for row in store.raw_log(t.id)]
        boards = [t.at(f"r{round}").boards(round) for round in (1, 2)]

        done = erase_person(store, t, 2, by=ASKED)

        lines = [row.state for row in store.raw_log(t.id)]
        assert lines[: len(before)] == before
        assert done.parts == 3  # name; birth and id; the reason
        names = {player.details.name for player in t.now().state.players}
        assert "(erased p2)" in names
        assert "Secret5, Person" in names
        assert not any("Secret3" in str(fact) for fact in t.facts())
        report = t.verify()
        assert report.whole, report.findings
        assert {round.verdict for round in report.rounds} == {"identical"}
        assert [[board.white.id for board in round.boards] for round in boards] == [
            [board.white.id for board in t.now().boards(round).boards] for round in (1, 2)
        ]
        published = publish_tree(store, tmp_path / "tree", FEDERATION)
        assert verify_tree(str(tmp_path / "tree"), FEDERATION.verifier()).head == published.note.head
        proof = proven(prove_fact(store, t, 3, str(tmp_path / "tree")).text, FEDERATION.verifier())
        assert not any("Secret3" in line for line in proof)
        assert "(erased p2)" in t.now().report()
        state = t.now().state
    with Office.open(location) as again:
        assert again.tournament("Open").now().state == state


def test_nothing_is_left_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "open.db"
    with Office.create(path) as office:
        t = played(office)
        done = erase_person(office.store(), t, 2, by=ASKED)

        assert done.remains.unfinished == ""
        for file in tmp_path.glob("open.db*"):
            for secret in (b"Secret3", b"1993-03-04", b"7712343"):
                assert secret not in file.read_bytes(), (file.name, secret)
        assert b"Secret5" in path.read_bytes()


def test_an_open_reader_is_reported_and_erasing_again_finishes(tmp_path: Path) -> None:
    path = tmp_path / "open.db"
    with Office.create(path) as office:
        t = played(office)
        reader = sqlite3.connect(path, isolation_level=None)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM private").fetchone()

        with Tournaments(path, patience=0.2) as impatient:
            done = erase_person(impatient, t, 2, by=ASKED)

        assert done.remains.unfinished == Speaker().say(say("remains.journal"))
        reader.execute("COMMIT")
        reader.close()
        assert erase_again(office.store(), t) == (0, "")
        assert not any(b"Secret3" in file.read_bytes() for file in tmp_path.glob("open.db*"))


def test_what_a_restored_backup_brings_back_is_reported_and_removed_again(tmp_path: Path) -> None:
    path = tmp_path / "open.db"
    with Office.create(path) as office:
        t = played(office)
        bundle = write_bundle(t.id, office.store().raw_log(t.id))
        with sqlite3.connect(path) as db:
            pieces = db.execute("SELECT * FROM private").fetchall()
        db.close()
        erase_person(office.store(), t, 2, by=ASKED)
        with sqlite3.connect(path) as db:
            db.executemany("INSERT OR IGNORE INTO private VALUES (?, ?, ?, ?)", pieces)
        db.close()
        assert not any("Secret3" in str(player) for player in t.now().state.players)
        report = t.verify()
        assert report.whole
        assert say("verify.part-back") in [finding.message for finding in report.findings]

        assert erase_again(office.store(), t)[0] == 3

        assert not t.verify().findings
        assert take_in(office.store(), t.id, read_bundle(bundle).rows) == 0
        assert not any("Secret3" in str(fact) for fact in t.facts())


def test_with_the_fact_of_the_erasure_nobody_finds_the_person(location: str) -> None:
    with Office.create(location) as office:
        t, store = played(office), office.store()
        assert [one.id for one in office.tournaments(player="secret3 per")] == [t.id]
        [row] = [row for row in store.raw_log(t.id) if any(b"Secret3" in one for one in row.parts[:1])][:1]
        piece = (row.originator_version, sha256(row.parts[0]).hexdigest())

        t.ask(ErasePerson(player=2, pieces=(piece,)), by=ASKED)  # its parts are still there

        assert office.tournaments(player="secret3") == []
        words = store.words(t.id) or set()
        assert not [word for player, word in words if player == 2 or "secret3" in word or "erased" in word]
        assert words == store.read(t.id).words()
        assert len(office.tournaments(player="secret4")) == 1


def test_the_words_of_an_erased_person_are_not_left_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "open.db"
    with Office.create(path) as office:
        t = played(office)
        office.store().backend.settle()
        assert b"psecret3" in path.read_bytes()
        erase_person(office.store(), t, 2, by=ASKED)

    left = [file for file in tmp_path.iterdir() if b"psecret3" in file.read_bytes()]
    assert left == []


def test_no_reader_shows_what_came_back_after_an_erasure(location: str, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    with Office.create(location) as office, Office.create(location) as elsewhere:
        t, store = played(office), office.store()
        t.ask(ChangeRegulations(changes=RegulationChanges(arbiters=("Person Secret3",))), by=ANNA)
        registered = next(one.version for one in t.facts() if getattr(one.fact, "player", 0) == 2)
        open_before = elsewhere.tournament(t.id)
        assert "Secret3" in str((open_before.now().state, open_before.facts()))
        parts = [*store.backend.private_rows()]
        publish_tree(store, tree, FEDERATION)
        erase_person(store, t, 2, by=ASKED)
        gone = [part for part in parts if part not in [*store.backend.private_rows()]]
        for part in gone:
            store.backend.write_beside("INSERT INTO private VALUES (?, ?, ?, ?)", [part[:4]])

        shown = {
            "raw": store.raw_log(t.id),
            "feed": list(office.follow(quiet=0)),
            "a page of the feed": store.notifications(0, registered),
            "rows": store.rows(t.id),
            "first rows": store.rows(t.id, 0, registered),
            "log": store.log(t.id)[registered - 1 : registered],
            "state": store.state(t.id),
            "facts": t.facts(),
            "state of an open desk": open_before.now().state,
            "facts of an open desk": open_before.facts(),
            "bundle": export_bundle(store, t.id, store.version(t.id)),
            "proof": b64decode(prove_fact(store, t, registered, str(tree)).text.splitlines()[1][6:]),
        }

        assert [where for where, text in shown.items() if "Secret3" in str(text)] == ["raw"]
        assert erase_again(store, t)[0] == len(gone) > 3
        assert "Secret3" not in str(store.raw_log(t.id))


def test_a_part_that_is_gone_without_an_erasure_is_damage(tmp_path: Path) -> None:
    path = tmp_path / "open.db"
    with Office.create(path) as office:
        t = played(office)
        with sqlite3.connect(path) as db:
            db.execute("DELETE FROM private WHERE version=3")
        db.close()
    with Office.open(path) as office:
        report = office.tournament().verify()
        assert not report.whole
        assert say("verify.part-missing") in [finding.message for finding in report.findings]
        assert "BROKEN" in alone.verify_bundle(write_bundle(t.id, office.store().raw_log(t.id)))[0][0]


def test_another_name_cannot_be_slipped_in(tmp_path: Path) -> None:
    path = tmp_path / "open.db"
    with Office.create(path) as office:
        t = played(office)
    with sqlite3.connect(path) as db:
        db.execute(
            "UPDATE private SET bytes=CAST(replace(CAST(bytes AS text), 'Secret1', 'Mallory') AS blob)"
        )
    db.close()

    with Office.open(path) as office:
        report = office.tournament().verify()
        names = {player.details.name for player in office.tournament().now().state.players}
        bundle = write_bundle(t.id, office.store().raw_log(t.id))

    assert not report.whole
    assert "Mallory, Person" not in names
    assert "BROKEN" in alone.verify_bundle(bundle)[0][0]


def test_a_bundle_carries_what_was_not_erased(tmp_path: Path) -> None:
    with Office.create(tmp_path / "open.db") as office, Office.create(tmp_path / "there.db") as there:
        t = played(office)
        erase_person(office.store(), t, 2, by=ASKED)
        bundle = write_bundle(t.id, office.store().raw_log(t.id))
        lines, whole = alone.verify_bundle(bundle)
        take_in(there.store(), t.id, read_bundle(bundle).rows)

        assert whole, lines
        assert "3 personal parts were erased on request" in lines
        assert b"Secret3" not in bundle
        assert there.tournament("Open").verify().whole
        assert there.tournament("Open").now().state == t.now().state


def test_erasing_needs_a_reason_something_to_erase_and_a_second_thought(tmp_path: Path) -> None:
    with Office.create(tmp_path / "open.db") as office:
        t, store = played(office), office.store()
        with pytest.raises(ReasonMissing):
            erase_person(store, t, 2, by=ANNA.accepting("erase-while-running"))
        with pytest.raises(NeedsAcknowledgement):
            erase_person(store, t, 2, by=ANNA.because("request"))
        assert "Secret3" in str(t.facts())
        erase_person(store, t, 2, by=ASKED)
        with refuses(NotNow, "nothing-to-erase", player=2):
            erase_person(store, t, 2, by=ASKED)


def test_other_parts_with_the_whole_name_go_and_those_with_the_family_name_are_listed(location: str) -> None:
    with Office.create(location) as office:
        t, store = played(office), office.store()
        t.ask(
            ChangeRegulations(changes=RegulationChanges(arbiters=("Person Secret3", "Other Official"))),
            by=ANNA,
        )
        officials = t.now().state.version
        t.ask(WithdrawPlayer(player=6), by=ANNA.because("is Person SECRET3’s brother"))
        t.ask(ReturnPlayer(player=6), by=ANNA.because("Secret3 is well again"))
        mentioned = t.now().state.version
        t.ask(ReturnPlayer(player=2), by=person("Secret3").because("I am back"))
        claimed = t.now().state.version

        done = erase_person(store, t, 2, by=ASKED)

        assert done.remains.mentions == (mentioned,)
        assert done.remains.recorded == (claimed,)
        assert {version for version, _ in erased_parts(done.facts)} >= {officials, mentioned - 1}
        again = erase_person(store, t, 2, [mentioned], by=ASKED)
        assert (again.parts, again.remains.mentions) == (1, ())
        left = [row for row in store.raw_log(t.id) if "secret3" in str(row).lower()]
        assert left == [store.raw_log(t.id)[claimed - 1]]
        assert t.verify().whole


def test_the_reason_of_an_erasure_must_not_name_the_player(tmp_path: Path) -> None:
    with Office.create(tmp_path / "open.db") as office:
        t = played(office)
        for reason in ("Person Secret3 asked for it", "secret3"):
            with refuses(Invalid, "name-in-reason"):
                erase_person(office.store(), t, 2, by=ASKED.because(reason))
        assert "Secret3" in str(t.facts())


def test_a_reason_goes_with_whoever_sat_at_the_board_when_it_was_given(tmp_path: Path) -> None:
    """The board was cleared, the round taken back and paired anew: others sit there now."""
    with Office.create(tmp_path / "open.db") as office:
        t = played(office)
        t.pair(by=ANNA)
        white = t.now().state.rounds[2].boards[0][0]
        t.publish(by=ANNA)
        t.record(3, {1: "1-0"}, by=ANNA.because("he fell asleep"))
        t.ask(ClearResult(round=3, board=1), by=ANNA.because("he woke up again"))

        erase_person(office.store(), t, white, by=ASKED)

        assert not any("asleep" in one.why or "woke" in one.why for one in t.facts())


def test_the_reason_of_who_really_met_goes_with_each_of_them(tmp_path: Path) -> None:
    with Office.create(tmp_path / "open.db") as office:
        t = played(office)
        t.pair(by=ANNA)
        (one, other), (third, fourth), *_ = t.now().state.rounds[1].boards
        by = ANNA.because("the sick one went to the wrong room").accepting("boards-as-played", "correction")
        t.correct_boards(2, {1: (third, other, "1-0"), 2: (one, fourth, "½-½")}, by=by)

        erase_person(office.store(), t, third, by=ASKED)

        assert not any("sick" in one.why for one in t.facts())


def test_a_correction_whose_reason_was_erased_is_still_one_the_program_recorded(tmp_path: Path) -> None:
    with Office.create(tmp_path / "open.db") as office:
        t = played(office)
        white = t.now().state.rounds[1].boards[0][0]
        t.ask(
            CorrectResult(round=2, board=1, outcome=Outcome("=", "=")), by=ANNA.because("he had misread it")
        )

        erase_person(office.store(), t, white, by=ASKED)

        assert not any("misread" in one.why for one in t.facts())
        report = t.verify()
        assert report.whole, report.findings


def test_an_erasure_sent_again_under_its_id_is_the_same_erasure(location: str) -> None:
    with Office.create(location) as office:
        t, by = played(office), ASKED.under("request-9")
        first = erase_person(office.store(), t, 2, by=by)
        again = erase_person(office.store(), t, 2, by=by)

        assert again.repeated
        assert (again.parts, again.version) == (first.parts, first.version)


def test_other_tournaments_with_the_same_name_are_listed(location: str) -> None:
    with Office.create(location) as office:
        t = played(office)
        other = office.new(Regulations(name="Blitz", rounds=4), by=ANNA)
        other.ask(RegisterPlayer(details=Details(name="Secret3, Person")), by=ANNA)
        third = office.new(Regulations(name="Rapid", rounds=4), by=ANNA)
        third.ask(RegisterPlayer(details=Details(name="Secret3, Other")), by=ANNA)

        assert erase_person(office.store(), t, 2, by=ASKED).remains.elsewhere == (other.id,)
        assert erase_person(office.store(), other, 1, by=ASKED).remains.elsewhere == ()


def test_a_name_that_an_earlier_version_recorded_in_the_facts_stays_and_is_listed(tmp_path: Path) -> None:
    with Office.create(tmp_path / "new.db") as new, Office.create(tmp_path / "old.db") as old:
        t = played(new)
        rows, head = [], GENESIS
        for recorded in t.facts():
            sealed = seal(msgspec.structs.replace(recorded, private=()), head)
            head = sealed.fact.hash
            rows.append(sealed.stored)
        old.store().add_stored(t.id, rows)
        t = old.tournament("Open")
        with refuses(NotNow, "nothing-to-erase", player=2):
            erase_person(old.store(), t, 2, by=ASKED)
        t.ask(ReturnPlayer(player=2), by=ANNA.because("Secret3 is well again"))

        done = erase_person(old.store(), t, 2, by=ASKED)

        assert (done.parts, done.remains.recorded) == (1, (3, len(rows)))
        assert "(erased p2)" in t.now().report()
        assert t.verify().whole


def test_everybody_is_erased_from_a_closed_tournament(location: str) -> None:
    with Office.create(location) as office:
        t, store = played(office), office.store()
        for round in (3, 4):
            t.pair(by=ANNA)
            t.publish(by=ANNA)
            t.record(round, dict.fromkeys(range(1, 1 + len(t.now().boards().boards)), "1-0"), by=ANNA)
        t.close(by=ANNA)
        places = [row.id for row in t.now().standings().standings]
        for player in range(1, 7):
            erase_person(store, t, player, by=ANNA.because("request of 12 May"))

        assert {player.details.name for player in t.now().state.players} == {
            f"(erased p{n})" for n in range(1, 7)
        }
        assert [row.id for row in t.now().standings().standings] == places
        assert "Secret" not in t.now().report()
        assert t.verify().whole
        assert b"Secret" not in write_bundle(t.id, store.raw_log(t.id))


def test_what_another_store_has_erased_goes_here_too(tmp_path: Path) -> None:
    """A copy of an earlier day gets the facts that came since, the erasure among them."""
    with Office.create(tmp_path / "open.db") as office, Office.create(tmp_path / "copy.db") as there:
        t = played(office)
        copy(t.id, office.store(), there.store())
        assert "Secret3" in str(there.tournament("Open").now().state)
        erase_person(office.store(), t, 2, by=ASKED)

        copied = copy(t.id, office.store(), there.store())

        assert copied.new == 1
        assert not any(b"Secret3" in file.read_bytes() for file in tmp_path.glob("copy.db*"))
        assert there.tournament("Open").verify().findings == ()


def test_read_tables_forget_with_the_next_facts(tmp_path: Path) -> None:
    tables = tmp_path / "tables.db"
    with Office.create(tmp_path / "open.db") as office:
        t = played(office)
        catch_up(office.store(), tables)
        assert b"Secret3" in tables.read_bytes()
        erase_person(office.store(), t, 2, by=ASKED)

        catch_up(office.store(), tables)

    with sqlite3.connect(tables) as db:
        lines = [text for (text,) in db.execute("SELECT text FROM facts ORDER BY version")]
    db.close()
    assert any("(erased p2)" in line for line in lines)
    assert not any(b"Secret3" in file.read_bytes() for file in tmp_path.glob("tables.db*"))


def test_a_desk_that_may_not_delete_records_the_erasure_and_says_what_is_left(server: Server) -> None:
    url = server.fresh()
    prepare(url)
    with Office.open(url) as owner:
        t = played(owner)
        schema = url.partition("schema=")[2]
        with psycopg.connect(server.url(), autocommit=True) as db:
            db.execute(f"CREATE ROLE desk_{schema} LOGIN PASSWORD 'desk'")
            db.execute(f"GRANT USAGE ON SCHEMA {schema} TO desk_{schema}")
            db.execute(f"GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA {schema} TO desk_{schema}")
            db.execute(f"GRANT USAGE ON ALL SEQUENCES IN SCHEMA {schema} TO desk_{schema}")
        desk = f"postgresql://desk_{schema}:desk@127.0.0.1:{server.port}/chess?schema={schema}"
        with Office.open(desk) as office:
            done = erase_person(office.store(), office.tournament("Open"), 2, by=ASKED)
        left = done.remains.messages[0]
        assert (left.code, done.remains.unfinished) == ("parts-still-there", Speaker().say(left))
        assert not any("Secret3" in str(fact) for fact in t.facts())
        assert erase_again(owner.store(), t)[0] == done.parts
        assert t.verify().findings == ()


@pytest.mark.parametrize("seed", range(6))
def test_whoever_is_erased_in_whatever_order_the_record_holds(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    with Office.create(tmp_path / "open.db") as office:
        t, store = played(office), office.store()
        head = store.verify_chain(t.id)
        gone = chance.sample(range(1, 7), chance.randint(1, 6))
        for player in gone:
            erase_person(store, t, player, by=ASKED)
        report = t.verify()

        assert report.whole, report.findings
        assert [row.state[-66:-2].decode() for row in store.raw_log(t.id)][head[0] - 1] == head[1]
        assert {round.verdict for round in report.rounds} == {"identical"}
        left = {player.id for player in t.now().state.players if "Secret" in player.details.name}
        assert left == set(range(1, 7)) - set(gone)
