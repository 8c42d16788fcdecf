"""Sentences about pairings, ready for a page."""

from collections.abc import Mapping
from typing import Final

from markupsafe import Markup

from paircard.pairing.explain.catalogue import ENGLISH, Catalogue
from paircard.pairing.explain.italian import ITALIAN
from paircard.pairing.explain.lines import Line, Rule
from paircard.pairing.explain.speaking import PageSpeaker
from paircard.pairing.explain.why import BracketStory
from paircard.service.explaining import Round

CATALOGUES: Final[Mapping[str, Catalogue]] = {one.language: one for one in (ENGLISH, ITALIAN)}
"""The sentences about pairings by language."""


class Words:
    """Sentences about one round."""

    def __init__(self, round: Round, language: str) -> None:
        self.speaker = PageSpeaker(round.people, CATALOGUES.get(language, ENGLISH))

    def say(self, *lines: Line) -> Markup:
        """Sentences in one paragraph."""
        return Markup(" ".join(map(self.speaker.say, lines)))

    def person(self, id: int) -> Markup:
        return Markup(self.speaker.person(id))

    def rule(self, name: str) -> Markup:
        """What a rule says."""
        return Markup(self.speaker.field(Rule(name)))

    def value(self, bracket: BracketStory, name: str) -> Markup:
        """A criterion's value beside the least it could be."""
        value, least = bracket.candidate.values[name], bracket.numbers.least.get(name)
        return Markup(self.speaker.against_least(name, value, least))
