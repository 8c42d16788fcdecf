"""How many examples a law is tried on: a quarter of them in the suite, all with HYPOTHESIS_PROFILE=search."""

import os

from hypothesis import settings

PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "steady")


def examples(many: int, **more: object) -> settings:
    """So many where new ones are looked for; the suite tries the same ones each time, so fewer do."""
    return settings(max_examples=max(many // 4, 5) if PROFILE == "steady" else many, **more)  # type: ignore[arg-type]
