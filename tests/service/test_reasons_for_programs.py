"""Programs are given the keys and tagged fields of always for an explanation."""

from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest

from paircard.cli.input_files import read_report_file
from paircard.service.explaining import explain_round, explain_why, round_of_report

QUESTIONS = Path(__file__).parents[1] / "corpus" / "questions"

WHY: list[tuple[str, int, int, str]] = [
    ("dutch-2017-dense-4101-0007.trf", 3, 1, "badbb24e2434aa7a"),
    ("dutch-2017-dense-4101-0007.trf", 5, 5, "0b54893500b37f8d"),
    ("dutch-2017-dense-4101-0007.trf", 7, 3, "ba7f3d55f809ee33"),
    ("dutch-2017-dense-4101-0007.trf", 9, 10, "4862f44005501bf9"),
    ("dutch-2017-dense-4101-0007.trf", 11, 7, "f9fb975b173b301b"),
    ("dutch-2017-prohibited-4101-0128.trf", 3, 18, "299f87bb990a11f0"),
    ("dutch-2017-prohibited-4101-0128.trf", 5, 9, "8d9afeefd305be51"),
    ("dutch-2017-prohibited-4101-0128.trf", 7, 12, "23af35ff398633f6"),
    ("dutch-2017-prohibited-4101-0128.trf", 9, 3, "7e2aafaa743e3a3f"),
    ("dutch-2026-dense-4101-0034.trf", 4, 8, "dcb8154f1540c23d"),
    ("dutch-2026-dense-4101-0034.trf", 6, 17, "37e3a5daf6102ef8"),
    ("dutch-2026-dense-4101-0034.trf", 8, 20, "afbfcf89e8637f2b"),
    ("dutch-2026-dense-4101-0034.trf", 10, 20, "16970b23ffe1618f"),
    ("dutch-2026-dense-4101-0034.trf", 12, 2, "632b5033378efcbb"),
]
"""Report, round, player, and the digest of keys and fields, which changes only where a sentence was false."""
EXPLAINED: list[tuple[str, int, str]] = [
    ("dutch-2017-dense-4101-0007.trf", 3, "17958e5f05221d3e"),
    ("dutch-2017-dense-4101-0007.trf", 6, "1d6ccbb06900e762"),
    ("dutch-2017-dense-4101-0007.trf", 9, "672a04c63733342e"),
    ("dutch-2017-dense-4101-0007.trf", 12, "49a1255d77186e5a"),
    ("dutch-2017-prohibited-4101-0128.trf", 5, "831cfab253a514c1"),
    ("dutch-2017-prohibited-4101-0128.trf", 8, "a558d792ec2d524d"),
    ("dutch-2026-dense-4101-0034.trf", 4, "a8b23b8eb5950901"),
    ("dutch-2026-dense-4101-0034.trf", 7, "70af80e4241869fb"),
]


def digest(value: Any) -> str:
    return sha256(msgspec.json.encode(value)).hexdigest()[:16]


def told(answer: dict[str, Any]) -> list[Any]:
    return [[one["key"], one["fields"]] for part in ("short", "detail", "notes") for one in answer[part]]


def asked(name: str, round: int) -> Any:
    _, reading = read_report_file(QUESTIONS / name, "utf-8")
    return round_of_report(reading, name[:10], round)


@pytest.mark.parametrize(("name", "round", "player", "before"), WHY)
def test_why_has_the_keys_and_fields_of_always(name: str, round: int, player: int, before: str) -> None:
    found = msgspec.json.decode(msgspec.json.encode(explain_why(asked(name, round), player)))

    assert digest(told(found["answer"])) == before


@pytest.mark.parametrize(("name", "round", "before"), EXPLAINED)
def test_a_round_has_the_keys_and_fields_of_always(name: str, round: int, before: str) -> None:
    found = msgspec.json.decode(msgspec.json.encode(explain_round(asked(name, round))))

    assert digest(found["lines"]) == before
