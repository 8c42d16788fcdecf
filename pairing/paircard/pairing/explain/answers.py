"""Answers as lines: what a player reads first, and what an arbiter reads below it.

Only keys and fields are chosen here; every word stands in the catalogue.
"""

import msgspec

from paircard.pairing.dutch.criteria import Value
from paircard.pairing.dutch.editions import EDITIONS
from paircard.pairing.dutch.paired import JOINED
from paircard.pairing.explain.catalogue import ENGLISH
from paircard.pairing.explain.colour_answers import colour_sentence, explain_colours
from paircard.pairing.explain.contrast import BYE, Contrast
from paircard.pairing.explain.lines import (
    Answer,
    Count,
    Fields,
    Group,
    Line,
    Measured,
    Meeting,
    People,
    Person,
    Points,
    line,
)
from paircard.pairing.explain.reasons import bars_field, cause_lines, forbidden, rule_line, shown, worse
from paircard.pairing.explain.speaking import CANONICAL
from paircard.pairing.explain.topscorers import clash_lines, may_meet, share_lines
from paircard.pairing.explain.trial_lines import explain_trials
from paircard.pairing.explain.why import Floated, Why

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
