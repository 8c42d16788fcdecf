"""A signed verdict spares the facts that were found whole, and nothing that changed since."""

from hashlib import sha256
from pathlib import Path

import pytest

from paircard.domain.errors import Invalid
from paircard.domain.log.store import Tournaments
from paircard.domain.proof.bundles import take_in
from paircard.domain.proof.note import Signer
from paircard.service.review.stores import since
from tests.audit.byhand import by_hand
from tests.audit.command_line import ok, say
from tests.audit.quiet import END, FEDERATION, ID, ROWS
from tests.audit.test_bundles import with_an_erasure
from tests.refusals import refuses, sentence

EVIL = Signer("evil", bytes(range(1, 33)))
PERSONAL = with_an_erasure()[:-1]


def judged(store: Tournaments) -> str:
    return FEDERATION.sign(since(store, "", FEDERATION).head).text()


def test_only_what_grew_since_is_left_to_do(location: str) -> None:
    with Tournaments(location, create=True) as store:
        take_in(store, ID, ROWS[:9])
        first = since(store, "", FEDERATION)
        verdict = FEDERATION.sign(first.head).text()

        assert (first.again, first.head.size) == (None, 9)
        assert since(store, verdict, FEDERATION).again == frozenset()
        take_in(store, ID, ROWS)
        then = since(store, verdict, FEDERATION)
        assert (then.again, then.head.size, then.finding) == (frozenset({ID}), END, None)


def test_facts_that_are_not_those_of_the_verdict_are_told_and_all_is_looked_at(tmp_path: Path) -> None:
    with Tournaments(tmp_path / "open.db", create=True) as store:
        take_in(store, ID, ROWS)
        verdict = judged(store)
        by_hand(str(tmp_path / "open.db"), "DELETE FROM stored_events WHERE originator_version>12")

        ahead = since(store, verdict, FEDERATION)

    assert ahead.again is None
    assert ahead.finding
    assert (ahead.finding.code, dict(ahead.finding.fields)) == (
        "verify.verdict-differs",
        {"facts": END, "count": 12},
    )


def test_a_personal_part_that_went_or_changed_brings_its_tournament_back(tmp_path: Path) -> None:
    path = tmp_path / "open.db"
    row = next(row for row in PERSONAL if row.parts)
    hash = sha256(row.parts[0]).hexdigest()
    with Tournaments(path, create=True) as store:
        take_in(store, ID, PERSONAL)
        verdict = judged(store)
        assert since(store, verdict, FEDERATION).again == frozenset()
        by_hand(str(path), "UPDATE private SET bytes=? WHERE hash=?", b"{}", hash)
        assert since(store, verdict, FEDERATION).again == frozenset({ID})
        by_hand(str(path), "DELETE FROM private WHERE hash=?", hash)
        assert since(store, verdict, FEDERATION).again == frozenset({ID})


def test_a_verdict_of_another_key_is_refused_and_one_of_another_version_covers_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Tournaments(tmp_path / "open.db", create=True) as store:
        take_in(store, ID, ROWS)
        verdict = judged(store)
        with refuses(Invalid, "verify.verdict-unsigned", name="evil"):
            since(store, verdict, EVIL)
        with pytest.raises(Invalid):
            since(store, verdict.replace(f"\n{END}\n", f"\n{END - 1}\n"), FEDERATION)
        monkeypatch.setattr("paircard.service.review.stores.VERDICT", "paircard-verdict/later")
        assert since(store, verdict, FEDERATION).again is None


def test_verify_all_goes_on_from_the_last_verdict(tmp_path: Path) -> None:
    path, key, file = str(tmp_path / "open.db"), tmp_path / "fed.key", tmp_path / "last.verdict"
    key.write_text(FEDERATION.line())
    key.chmod(0o600)
    words = ("verify", "--all", "--verdict", str(file), "--key", str(key))
    with Tournaments(path, create=True) as store:
        take_in(store, ID, ROWS)
    whole = sentence("cli.verify.all", there=1, facts=END, number=0, count=0)
    assert whole in ok(path, *words).splitlines()
    first = file.read_text()
    again = ok(path, *words).splitlines()
    assert sentence("cli.verify.all", there=0, facts=0, number=0, count=0) in again
    assert sentence("cli.verify.unchanged", there=1) in again
    assert file.read_text() == first

    by_hand(path, "UPDATE stored_events SET state=replace(state, 'a', 'b') WHERE originator_version=3")
    assert say(path, *words).code == 1
    assert file.read_text() == first, "nothing is signed that is not whole"
    assert say(path, "verify", "--verdict", str(file)).code == 2
