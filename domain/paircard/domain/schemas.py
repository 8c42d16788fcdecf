"""The JSON Schemas of all facts, for programs in other languages that read logs, feeds or webhooks."""

from functools import cache
from typing import Any

import msgspec

from paircard.domain.events import EVENT_TYPES, Recorded
from paircard.domain.log.stored import FACT_VERSION


@cache
def fact_schema() -> dict[str, Any]:
    """JSON Schema 2020-12 of a recorded fact, with the schema of every kind by the name of its class.

    ``x-topic`` of a kind is its stored name and version. Facts are whole: personal parts are in place,
    unless they were erased.
    """
    [ref], schemas = msgspec.json.schema_components([Recorded], ref_template="#/$defs/{name}")
    for kind in EVENT_TYPES:
        schemas[kind.__name__]["x-topic"] = f"{kind.__struct_config__.tag}/{FACT_VERSION}"
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A fact of Paircard in its envelope",
        **ref,
        "$defs": schemas,
    }
