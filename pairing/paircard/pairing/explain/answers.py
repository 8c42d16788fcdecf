"""Answers as lines: what a player reads first, and what an arbiter reads below it.

Only keys and fields are chosen here; every word stands in the catalogue.
"""

from collections.abc import Collection
from typing import Final

import msgspec

from paircard.pairing.dutch.criteria import Value
from paircard.pairing.dutch.editions import EDITIONS
from paircard.pairing.dutch.paired import JOINED
from paircard.pairing.explain.catalogue import ENGLISH
from paircard.pairing.explain.causes import Cause
from paircard.pairing.explain.colours import Colours, Preference
from paircard.pairing.explain.contrast import BYE, Bar, Contrast
from paircard.pairing.explain.lines import (
    Answer,
    Bars,
    Candidate,
    Colour,
    Count,
    Fields,
    Group,
    History,
    Line,
    Measured,
    Meeting,
    Numbered,
    Pairs,
    People,
    Person,
    Points,
    Rule,
    Times,
    line,
)
from paircard.pairing.explain.speaking import CANONICAL, MANY, WIDER
from paircard.pairing.explain.topscorers import clash_lines, may_meet, share_lines
from paircard.pairing.explain.trials import Step, Tried
from paircard.pairing.explain.why import Floated, Trials, Why
from paircard.pairing.outcome import BracketTrace
from paircard.projections.round.snapshot import signed_difference

# --- one player


def answer_why(one: Why) -> Answer:
    """Why a player has this opponent and this colour."""
    me = Person(one.player)
    if one.absent:
        return Answer(short=(line(f"absent.{one.absent}", player=me, round=one.round),))
    assert one.bracket is not None
    assert one.tried is not None
    short = _opponent(one)
    detail = [_board(one), *_bracket_of(one)]
    told = floats_to_explain(one)
    for each in one.floats:
        detail += explain_float(each, one.edition, reasons=each not in told)
    detail += explain_trials(one.tried, one.bracket, (one.player,), perfect=False)
    if one.own is not None and one.natural_opponent:
        detail.append(line("contrast.question", natural=Person(one.natural_opponent)))
    if one.own is not None:
        detail += explain_contrast(one.own, one.edition)
    if one.colours:
        detail += share_lines(one.last_round)
        if one.clash and one.last_round:
            short.append(may_meet(one.clash, one.last_round))
            detail += clash_lines(one.clash)
        short.append(colour_sentence(one.colours))
        detail += explain_colours(one.colours)
    return Answer(short=tuple(short), detail=tuple(detail))


def _board(one: Why) -> Line:
    """Where the player sits."""
    if one.pab:
        return line("board.bye", player=Person(one.player), round=one.round)
    assert one.colours is not None
    side = "white" if one.colours.white.player == one.player else "black"
    return line(
        f"board.{side}",
        player=Person(one.player),
        opponent=Person(one.opponent),
        round=one.round,
        board=one.board,
    )


def _bracket_of(one: Why) -> list[Line]:
    """The bracket in which the player was paired."""
    assert one.bracket is not None
    if one.pab:
        return []
    key, role = "bracket.of", one.bracket.role
    fields: Fields = {
        "player": Person(one.player),
        "points": Points(one.score),
        "score": Points(one.bracket.score),
    }
    if one.virtual:
        return [Line(f"{key}.virtual", {**fields, "virtual": Points(one.virtual)})]
    return [Line(f"{key}.{role}" if role else key, fields)]


def _opponent(one: Why) -> list[Line]:
    """Why this opponent, for a player: where the two stand, and what else might have been."""
    assert one.bracket is not None
    assert one.tried is not None
    me, other = Person(one.player), Person(one.opponent)
    down = floats_to_explain(one)
    if one.pab:
        return [line("pair.bye", player=me, round=one.round), *float_reason(down[-1], one.edition)]
    if one.score != one.opponent_score:
        higher = one.player if one.score > one.opponent_score else one.opponent
        fields: Fields = {
            "player": me,
            "opponent": other,
            "points": Points(one.score),
            "other_points": Points(one.opponent_score),
        }
        if not down:
            return [Line("pair.collapsed", fields)]
        key = "pair.down" if higher == one.player else "pair.up"
        lines = [Line(key, {**fields, "group": Points(down[0].score)}), *float_reason(down[0], one.edition)]
        for each in down[1:]:
            lines.append(line("pair.further", player=Person(higher), group=Points(each.score)))
            lines += float_reason(each, one.edition)
        return lines
    if one.natural_opponent == one.opponent:
        key = "pair.rest-in-order" if one.tried.natural.candidate.mdp_pairs else "pair.in-order"
        key = "pair.collapsed-in-order" if one.bracket.role == "CLB" else key
        return [line(key, player=me, opponent=other, points=Points(one.score))]
    lines = [line("pair.same", player=me, opponent=other, points=Points(one.score))]
    assert one.own is not None
    if one.natural_opponent:
        lines.append(line("alternative.natural", player=me, natural=Person(one.natural_opponent)))
    else:
        lines.append(line("alternative.left", player=me))
    return [*lines, *consequence(one.own, one.edition)]


def floats_to_explain(one: Why) -> list[Floated]:
    """Floats whose reasons a player reads: all of their own on the way down, else only the last."""
    if not one.pab and one.score == one.opponent_score:
        return []
    if not one.pab and one.score > one.opponent_score:
        return [each for each in one.floats if each.player == one.player]
    who = one.player if one.pab else one.opponent
    return [each for each in one.floats if each.player == who][-1:]


# --- two players who do not meet


def answer_why_not(found: Contrast, a: int, b: int, edition: str, round: int) -> Answer:
    """Why two players do not meet, or why one does not have the bye."""
    if found.outcome == "absent":
        return Answer(short=tuple(line("absent.Z", player=Person(id), round=round) for id in found.absent))
    one = a or b
    if found.outcome == "real":
        if BYE in (a, b):
            return Answer(short=(line("real.bye", player=Person(one)),))
        return Answer(short=(line("real.pair", a=Person(a), b=Person(b)),))
    if found.outcome == "forbidden":
        bars = tuple(bar if bar.b == BYE else msgspec.structs.replace(bar, a=a, b=b) for bar in found.bars)
        short = consequence(msgspec.structs.replace(found, bars=bars), edition)
        named = [rule_line("contrast.rule", found.criterion)] if found.criterion != "even" else []
        if CANONICAL.get(found.criterion, found.criterion) == "C3":
            named += share_lines(found.last_round, others=True)
        return Answer(short=tuple(short), detail=tuple(named))
    if BYE in (a, b):
        asked = line("asked.bye", player=Person(one), points=Points(found.scores[0]))
    elif found.scores[0] == found.scores[1]:
        asked = line("asked.same", a=Person(a), b=Person(b), points=Points(found.scores[0]))
    else:
        asked = line(
            "asked.differ",
            a=Person(a),
            b=Person(b),
            points=Points(found.scores[0]),
            other_points=Points(found.scores[1]),
        )
    short = [asked, *consequence(found, edition)]
    detail = share_lines(found.last_round)
    detail += clash_lines(found.clash) if found.clash else []
    return Answer(short=tuple(short), detail=(*detail, *explain_contrast(found, edition)))


# --- what would have come of it


def consequence(found: Contrast, edition: str) -> list[Line]:
    """What an alternative would have led to, in everyday words."""
    if found.outcome == "forbidden":
        if found.criterion == "even":
            return [line("forbidden.even")]
        return [forbidden(bar) for bar in found.bars[:1]]
    if found.outcome == "incomplete":
        joined = found.bracket >= 0  # [2012 C.13] there is a round, but not with these brackets
        return cause_lines(found.cause) or [line("then.C.13 (2012)" if joined else "then.C4")]
    group = Group(found.real.score, found.real.role) if found.real else Group(0)
    if found.outcome == "later":
        return [line("then.later", group=group), *cause_lines(found.cause, found.real)]
    assert found.real_value is not None
    assert found.other_value is not None
    people = _downfloaters(found)
    return [
        then(found.criterion, found.real_value, found.other_value, group, people),
        *cause_lines(found.cause, found.real),
    ]


def then(criterion: str, real: Value, other: Value, group: Group, people: tuple[int, ...] = ()) -> Line:
    """One criterion that would have got worse."""
    name = CANONICAL.get(criterion, criterion)
    if name == "C8" and isinstance(real, tuple):  # 2012 C.12 is a count
        assert isinstance(other, tuple)
        return _next_bracket(criterion, real, other, group)
    if name == "C7" and group.role == JOINED:
        criterion = "C.6"  # [2012 B.3] score differences, as in 2017
    key = f"then.{criterion}" if f"then.{criterion}" in ENGLISH.templates else f"then.{name}"
    fields: Fields = {
        "real": Measured(criterion, real),
        "other": Measured(criterion, other),
        "group": group,
    }
    if isinstance(other, int) and name != "C5":
        assert isinstance(real, int)
        fields |= {"real": Count(real), "other": Count(other), "count": other}
    if name == "C6":
        fields["people"] = People(people)
    return Line(key, fields)


def _next_bracket(criterion: str, real: tuple[int, ...], other: tuple[int, ...], group: Group) -> Line:
    """[C8, 2017 C.7] Downfloaters of the next bracket, or their scores."""
    if len(other) == 1 and other[0]:
        return line("then.C8.none", group=group)
    if real[0] != other[0]:
        return line("then.C8", real=Count(real[0]), other=Count(other[0]), count=other[0], group=group)
    key = "then.C.7.scores" if criterion == "C.7" else "then.C8.scores"
    scores = "C7" if criterion == "C8" else "C.6"
    return line(key, real=Measured(scores, real[1:]), other=Measured(scores, other[1:]), group=group)


def _downfloaters(found: Contrast) -> tuple[int, ...]:
    """Who would float, those first who do not float now."""
    if found.other is None or found.real is None:
        return ()
    now = found.real.downfloaters
    return tuple(sorted(found.other.downfloaters, key=lambda id: id in now))


# --- who went down


def float_reason(one: Floated, edition: str) -> list[Line]:
    """Why a player left a bracket unpaired, in everyday words."""
    me, group = Person(one.player), Points(one.score)
    if one.alone:
        return [line("float.alone", player=me, points=Points(one.own_score if one.bye else one.score))]
    if one.bars:
        if all(CANONICAL.get(bar.rule, bar.rule) == "C1" for bar in one.bars):
            games = tuple((bar.a + bar.b - one.player, bar.round) for bar in one.bars)
            return [line("float.met", player=me, points=group, games=Meeting(games))]
        return [line("float.barred", player=me, points=group)]
    found = one.contrast
    assert found is not None
    return [_other_choice(one, found), *consequence(found, edition)]


def _other_choice(one: Floated, found: Contrast) -> Line:
    """What the alternative to a float was."""
    me = Person(one.player)
    if one.bye:
        return (
            line("alternative.bye", player=me, instead=Person(found.pab))
            if found.pab
            else line("alternative.no-bye", player=me)
        )
    if found.real and found.other:
        now, then_ = set(found.real.downfloaters), set(found.other.downfloaters)
        if len(now) == len(then_) and len(then_ - now) == 1 and now - then_ == {one.player}:
            [instead] = then_ - now
            return line("alternative.down", player=me, instead=Person(instead))
    return line("alternative.stay", player=me, points=Points(one.score))


def explain_float(one: Floated, edition: str, brief: bool = False, reasons: bool = True) -> list[Line]:
    """The same for an arbiter: with the rule and the best candidate otherwise."""
    head = (
        line("float.bye", player=Person(one.player))
        if one.bye
        else line("float.down", player=Person(one.player), points=Points(one.score))
    )
    lines = [head, *(float_reason(one, edition) if reasons else [])]
    if one.bars and any(CANONICAL.get(bar.rule, bar.rule) != "C1" for bar in one.bars):
        lines.append(line("natural.bars", bars=bars_field(one.bars)))
    if one.contrast is not None:
        lines += explain_contrast(one.contrast, edition, chosen=False, brief=brief)
    return lines


def explain_contrast(found: Contrast, edition: str, chosen: bool = True, brief: bool = False) -> list[Line]:
    """An alternative for an arbiter: criterion, values, both candidates."""
    if found.outcome in ("forbidden", "incomplete"):
        named = found.criterion != "even" and not brief
        return [rule_line("contrast.rule", found.criterion)] if named else []
    if found.real is None or found.other is None:
        return []
    lines = []
    if found.outcome == "worse":
        assert found.real_value is not None
        assert found.other_value is not None
        key = "contrast.worse.brief" if brief else "contrast.worse"
        lines.append(worse(key, found.criterion, found.real_value, found.other_value))
    else:
        lines += [] if brief else [line("contrast.later")]
        if found.step:
            lines.append(line(f"later.step.{found.step}", article=found.article))
        lines += [] if brief else [line("later.first", article=EDITIONS[edition].first_of_equals)]
    if chosen:
        key = "contrast.chosen.CLB" if found.real.role == "CLB" else "contrast.chosen"
        fields: Fields = {"candidate": shown(found.real, found.other)}
        lines.append(
            Line(key, fields if key.endswith("CLB") else {**fields, "score": Points(found.real.score)})
        )
    key = "contrast.found" if found.untried else "contrast.best"
    lines.append(line(key, candidate=shown(found.other, found.real)))
    if found.untried:
        ahead = EDITIONS[edition].name_of("C8")
        lines.append(line("unproven", untried=found.untried, criterion=ahead))
    return lines


# --- colours of a board


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


# --- what was tried


def explain_trials(
    tried: Trials, chosen: BracketTrace, keep: Collection[int] = (), brief: bool = False, perfect: bool = True
) -> list[Line]:
    """The first candidate, what excluded it, the first legal one, and how the chosen one arises."""
    if not (chosen.pairs or chosen.mdp_pairs):
        return []
    first = tried.natural
    if first.chosen:
        key = "natural.chosen" if perfect else "natural.best"
        return [line(key, candidate=shown(chosen, None, keep))]
    lines = [line("natural.first", candidate=shown(first.candidate, chosen, keep)), *excluded(first, brief)]
    legal = tried.first_legal
    if legal is not None and not legal.chosen:
        lines += [
            line("legal.first", candidate=shown(legal.candidate, chosen, keep)),
            *excluded(legal, brief),
        ]
    key = "legal.chosen" if legal is not None and legal.chosen else "chosen"
    lines.append(line(key, candidate=shown(chosen, first.candidate, keep)))
    return [*lines, *(step_line(step) for step in tried.steps)]


def excluded(one: Tried, brief: bool = False) -> list[Line]:
    """What excluded a candidate."""
    if one.bars and one.bars[0].b:
        return [line("natural.bars", bars=bars_field(one.bars))]
    if one.bars:
        return [forbidden(one.bars[0]), rule_line("natural.rule", one.criterion)]
    if one.real_value is None or one.other_value is None:
        return [rule_line("natural.rule", one.criterion), *cause_lines(one.cause)]
    key = "natural.worse.brief" if brief else "natural.worse"
    return [worse(key, one.criterion, one.real_value, one.other_value)]


def step_line(step: Step) -> Line:
    """One alteration."""
    key = f"step.{step.kind}"
    if step.kind == "mdp-set" and not step.players:
        return line(f"{key}.none", article=step.article)
    if step.kind == "exchange":
        down, up = (tuple(pair[at] for pair in step.pairs) for at in (0, 1))
        return line(key, down=Numbered(down), up=Numbered(up), article=step.article)
    if step.kind == "mdp-opponents":
        return line(key, candidate=_some(step.pairs), article=step.article)
    return line(key, players=Numbered(step.players), article=step.article)


def _some(pairs: tuple[tuple[int, int], ...]) -> Candidate:
    return Candidate(pairs[:MANY], (), len(pairs) if len(pairs) > MANY else 0)


# --- single reasons


def rule_line(key: str, criterion: str) -> Line:
    """A rule by name and text."""
    return line(key, criterion=criterion, rule=Rule(criterion))


def worse(key: str, criterion: str, real: Value, other: Value) -> Line:
    """A criterion with both values."""
    return line(
        key,
        criterion=criterion,
        rule=Rule(criterion),
        real=Measured(criterion, real),
        other=Measured(criterion, other),
    )


def forbidden(bar: Bar) -> Line:
    """An absolute rule between two players, or between a player and the bye."""
    rule = CANONICAL.get(bar.rule, bar.rule)
    if rule == "C2":
        return line(f"forbidden.{bar.rule}", player=Person(bar.a), round=bar.round)
    if rule == "C1":
        return line("forbidden.C1", a=Person(bar.a), b=Person(bar.b), round=bar.round)
    if rule == "C3":
        return line("forbidden.C3", a=Person(bar.a), b=Person(bar.b), colour=Colour(bar.colour))
    return line("forbidden.prohibited", a=Person(bar.a), b=Person(bar.b))


def bars_field(bars: tuple[Bar, ...]) -> Bars:
    """Pairs that may not be made, as a field."""
    return Bars(tuple((bar.a, bar.b, bar.rule, bar.round) for bar in bars))


def cause_lines(cause: Cause | None, stands: BracketTrace | None = None) -> list[Line]:
    """Who would be left without an opponent; ``stands`` is the bracket whose pairs would stay."""
    if cause is None:
        return []
    fields: Fields = {}
    prefix = "cause"
    if cause.bracket >= 0 and stands is not None:
        prefix = "cause.stands"
        fields["points"] = Points(stands.score)
    if cause.chain:
        fields["pairs"] = Pairs(cause.chain)
    if cause.no_bye:
        return [Line(f"{prefix}.no-bye-chain" if cause.chain else f"{prefix}.no-bye", fields)]
    if cause.nobody:
        fields["player"] = Person(cause.nobody)
        return [Line(f"{prefix}.chain" if cause.chain else f"{prefix}.nobody", fields)]
    fields["people"] = People(tuple(id for id in cause.group if id))
    if cause.helpers:
        return [Line(f"{prefix}.helpers", {**fields, "helpers": People(cause.helpers)})]
    return [Line(f"{prefix}.group", fields)]


def shown(one: BracketTrace, against: BracketTrace | None = None, keep: Collection[int] = ()) -> Candidate:
    """A candidate; of a large one the pairs of ``keep``, and the first that the other one has not."""
    pairs = (*one.mdp_pairs, *one.pairs)
    if len(pairs) <= MANY:
        return Candidate(pairs, one.downfloaters)
    other = {*against.mdp_pairs, *against.pairs} if against else set()
    own = [pair for pair in pairs if not set(pair).isdisjoint(keep)]
    new = [pair for pair in pairs if pair not in other and pair not in own]
    picked = {*own, *new[: MANY - len(own)]}
    return Candidate(tuple(pair for pair in pairs if pair in picked), one.downfloaters, len(pairs))
