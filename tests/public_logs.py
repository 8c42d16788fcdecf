"""The whole log of a tournament as the public may see it; a server reads it further, fact by fact."""

from collections.abc import Sequence

from paircard.domain.events import Recorded
from paircard.projections.public import PublicLog


def public_log(log: Sequence[Recorded]) -> list[Recorded]:
    public = PublicLog()
    public.read_further(log)
    return public.facts
