"""The JSON Schemas of facts: what was ever written fits them, and what is no fact does not."""

import json
from typing import Any

import jsonschema_rs
import msgspec
import pytest

from paircard.domain.events import EVENT_TYPES
from paircard.domain.log.stored import fact_schema
from tests.domain.test_golden import golden_lines, read

FACTS = [json.loads(msgspec.json.encode(read(line, n))) for n, line in enumerate(golden_lines(), 1)]
VALID = jsonschema_rs.validator_for(fact_schema())


def test_every_fact_ever_written_fits() -> None:
    assert [fact["fact"] for fact in FACTS if not VALID.is_valid(fact)] == []
    assert {one["x-topic"] for one in fact_schema()["$defs"].values() if "x-topic" in one} == {
        f"{kind.__struct_config__.tag}/1" for kind in EVENT_TYPES
    }


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: fact["fact"]["type"])
def test_a_fact_with_a_wrong_field_or_without_its_name_does_not_fit(fact: dict[str, Any]) -> None:
    inner = fact["fact"]
    wrong = [fact | {"fact": inner | {"type": "nonsense"}}, fact | {"version": "one"}]
    wrong += [
        fact | {"fact": inner | {name: {"no": "such"}}}
        for name in inner
        if name not in ("changes", "details")
    ]
    wrong.append({name: value for name, value in fact.items() if name != "tournament"})

    assert [one for one in wrong if VALID.is_valid(one)] == []
