"""Why one of two players has White, as lines: whose wish was granted, and the rule with both histories."""

from typing import Final

from paircard.pairing.explain.colours import Colours, Preference
from paircard.pairing.explain.lines import Colour, Fields, History, Line, Person, Rule, Times, line
from paircard.pairing.explain.speaking import WIDER
from paircard.projections.round.colours import signed_difference

OPPOSITE: Final = {"w": "b", "b": "w"}


def colour_sentence(one: Colours) -> Line:
    """Whose wish was granted, and why."""
    white, black = one.white, one.black
    rule = one.rule[-1]
    if rule == "1":
        if white.colour and black.colour:
            return line("colour.both", white=Person(white.player), black=Person(black.player))
        due, none = (white, black) if white.colour else (black, white)
        return line(
            "colour.one", player=Person(due.player), other=Person(none.player), colour=Colour(due.colour)
        )
    if rule == "5":
        side = "w" if one.higher == white.player else "b"
        parity = "odd" if one.number % 2 else "even"
        return line(
            f"colour.first.{parity}", player=Person(one.higher), number=one.number, colour=Colour(side)
        )
    winner, loser = (white, black) if white.colour == "w" else (black, white)
    fields: Fields = {
        "winner": Person(winner.player),
        "loser": Person(loser.player),
        "colour": Colour(winner.colour),
        "opposite": Colour(OPPOSITE[winner.colour]),
    }
    if rule == "3":
        return Line("colour.alternate", fields)
    if rule == "4":
        alike = winner.history.strip("-") == loser.history.strip("-")
        return Line("colour.rank" if alike else "colour.rank.shorter", fields)
    if winner.strength == loser.strength:
        return wider(winner, loser, fields)
    return Line(f"colour.stronger.{winner.reason}", {**fields, "difference": abs(winner.difference)})


def wider(winner: Preference, loser: Preference, fields: Fields) -> Line:
    """[5.2.2, 2017 E.2] Both must have the colour: the wider difference decides.

    Two games in a row may ask for the colour although the difference does not: then both are said as
    they are.
    """
    asks = 1 if winner.colour == "b" else -1
    if winner.difference * asks > 0 < loser.difference * asks:
        return Line(
            "colour.wider",
            {
                **fields,
                "times": Times(abs(winner.difference)),
                "other_times": Times(abs(loser.difference)),
            },
        )
    return Line(
        "colour.wider.row",
        {
            **fields,
            "difference": signed_difference(winner.history),
            "other_difference": signed_difference(loser.history),
        },
    )


def explain_colours(one: Colours) -> list[Line]:
    """The rule, both preferences, and both histories aligned from the latest game (C.04.2:3.4)."""
    lines = [
        line("colours.rule", player=Person(one.white.player), article=one.rule, rule=Rule(rule_of(one))),
    ]
    if one.number:
        return [*lines, line("colours.number", player=Person(one.higher), number=one.number)]
    lines += [due_line(one.white), due_line(one.black)]
    long = max(len(one.white.history), len(one.black.history))
    if long:
        for player in (one.white, one.black):
            history = History(player.history.rjust(long, "-"))
            lines.append(line("colours.history", player=Person(player.player), history=history))
    if one.differed:
        lines.append(line("colours.differed", ago=one.differed, count=one.differed))
    return lines


def rule_of(one: Colours) -> str:
    """The rule that decided; the second sentence of 5.2.2 (2017 E.2) apart from its first."""
    both = one.white.strength == "absolute" == one.black.strength
    return WIDER if one.rule[-1] == "2" and both else one.rule


def due_line(one: Preference) -> Line:
    """What colour a player is due, and why."""
    if not one.colour:
        return line("colours.due.none", player=Person(one.player))
    return line(
        f"colours.due.{one.strength}.{one.reason}",
        player=Person(one.player),
        colour=Colour(one.colour),
        opposite=Colour(OPPOSITE[one.colour]),
        difference=f"{one.difference:+d}",
    )
