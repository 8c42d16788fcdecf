"""One list of editions: whatever depends on the edition knows every one of it."""

from paircard.domain.values.regulations import Regulations
from paircard.domain.values.rules import EDITIONS, RULES, edition_in_force
from paircard.pairing.dutch import editions as kernel
from paircard.projections.trf.records import CODES, EDITION_OF_CODE


def test_the_kernel_and_the_rules_of_the_bye_know_every_edition() -> None:
    assert tuple(kernel.EDITIONS) == EDITIONS
    assert all(RULES[edition].bars_the_bye for edition in EDITIONS)
    assert Regulations(name="Open", rounds=5).edition in EDITIONS


def test_the_code_a_report_is_written_with_is_read_as_the_same_edition() -> None:
    assert [EDITION_OF_CODE[CODES[edition]] for edition in EDITIONS] == list(EDITIONS)
    assert CODES["dutch-2026"] == "FIDE_DUTCH_2026"
    assert CODES["dutch-2012-javafo"] == "FIDE_DUTCH_2012_JAVAFO"


def test_an_edition_is_in_force_until_the_next_one_replaces_it() -> None:
    assert {edition: RULES[edition].replaced_from for edition in EDITIONS} == {
        "dutch-2026": "",
        "dutch-2017": "2026-02-01",
        "dutch-2012": "2017-07-01",
        "dutch-2012-javafo": "2017-07-01",
    }
    assert [edition_in_force(day) for day in ("2015-05-01", "2017-07-01", "2026-01-31", "2026-02-01")] == [
        "dutch-2012",
        "dutch-2017",
        "dutch-2017",
        "dutch-2026",
    ]
