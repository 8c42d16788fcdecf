"""Sentences about pairings, ready for a page."""

from markupsafe import Markup

from paircard.domain.messages import Message
from paircard.pairing.explain.speaking import RoundPageSpeaker
from paircard.pairing.explain.why import BracketStory
from paircard.service.explaining import Round


class Words:
    """Sentences about one round."""

    def __init__(self, round: Round, language: str) -> None:
        self.speaker = RoundPageSpeaker(round.people, language)

    def say(self, *lines: Message) -> Markup:
        """Sentences in one paragraph."""
        return Markup(" ".join(map(self.speaker.say, lines)))

    def person(self, id: int) -> Markup:
        return Markup(self.speaker.person(id))

    def rule(self, name: str) -> Markup:
        """What a rule says."""
        return Markup(self.speaker.rule(name))

    def value(self, bracket: BracketStory, name: str) -> Markup:
        """A criterion's value beside the least it could be."""
        value, least = bracket.candidate.values[name], bracket.numbers.least.get(name)
        return Markup(self.speaker.against_least(name, value, least))
