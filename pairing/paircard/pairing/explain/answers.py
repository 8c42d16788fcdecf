"""Answers as messages: what a player reads first, and what an arbiter reads below it.

Only codes and fields are chosen here; every word stands in ``languages``.
"""

from collections.abc import Collection
from typing import Final

from msgspec.structs import replace

from paircard.domain.messages import Message
from paircard.domain.values.results import points
from paircard.pairing.dutch.brackets import JOINED
from paircard.pairing.dutch.criteria import Value
from paircard.pairing.dutch.editions import EDITIONS
from paircard.pairing.dutch.field import BYE, Bar
from paircard.pairing.dutch.pairing import pair
from paircard.pairing.explain.colours import Clash, Colours, LastRound, Preference
from paircard.pairing.explain.contrast import Cause, Contrast, why_not
from paircard.pairing.explain.speaking import (
    CANONICAL,
    MANY,
    WIDER,
    Bars,
    Candidate,
    Counted,
    Fields,
    Group,
    Measured,
    Meeting,
    say,
)
from paircard.pairing.explain.why import Floated, Step, Story, Trials, Tried, Why, explain, why
from paircard.pairing.outcome import Answer, BracketTrace, Told
from paircard.projections.round.snapshot import Snapshot, signed_difference

SHOWN: Final = 24
"""Boards of another round that are written out."""

# --- what the engine of the FIDE (Dutch) System tells


def told_why(snapshot: Snapshot, player: int) -> Told[Why]:
    data = why(snapshot, player)
    board = (data.colours.white.player, data.colours.black.player) if data.colours else (player, BYE)
    return Told(data=data, answer=answer_why(data), boards=(board,))


def told_why_not(snapshot: Snapshot, a: int, b: int) -> Told[Contrast]:
    """Why two players do not meet, or why one of them does not have the bye (``BYE``)."""
    data = why_not(snapshot, a, b)
    answer = answer_why_not(data, a, b, snapshot.edition, snapshot.round)
    if data.outcome in ("worse", "later"):
        answer = replace(answer, detail=(*answer.detail, _other_round(snapshot, data)))
    return Told(data=data, answer=answer, boards=((a, b),) if data.outcome == "real" else ())


def told_round(snapshot: Snapshot) -> Told[Story]:
    """The whole round; its lines are made later, bracket by bracket."""
    data = explain(snapshot)
    boards = tuple((board.white, board.black) for board in data.boards)
    return Told(data=data, boards=(*boards, (data.pab, BYE)) if data.pab else boards)


def _other_round(snapshot: Snapshot, data: Contrast) -> Message:
    """The best round under the condition, as far as it differs."""
    real = pair(snapshot)
    kept = {(board.white, board.black) for board in real.boards}
    new = [(b.white, b.black) for b in data.boards if (b.white, b.black) not in kept]
    same = len(data.boards) - len(new)
    if data.pab != real.pab:
        new.append((data.pab, BYE))
    shown = Candidate(tuple(new[:SHOWN]), (), len(new) if len(new) > SHOWN else 0)
    if not same:
        return say("explain.contrast.round", candidate=shown)
    return say("explain.contrast.round.same", candidate=shown, same=same, count=same)


# --- one player


def answer_why(one: Why) -> Answer:
    me = one.player
    if one.absent:
        return Answer(short=(say(f"explain.absent.{one.absent}", player=me, round=one.round),))
    assert one.bracket is not None
    assert one.tried is not None
    short = _opponent(one)
    detail = [_board(one), *_bracket_of(one)]
    told = floats_to_explain(one)
    for each in one.floats:
        if each.bye and one.bye is not None:  # the whole round with another bye, not the last bracket alone
            each = replace(each, bars=(), contrast=one.bye)
            detail += explain_float(each, one.edition, reasons=False)
        else:
            detail += explain_float(each, one.edition, reasons=each not in told)
    detail += explain_trials(one.tried, one.bracket, (one.player,), perfect=False)
    if one.own is not None and one.natural_opponent:
        detail.append(say("explain.contrast.question", natural=one.natural_opponent))
    if one.own is not None:
        detail += explain_contrast(one.own, one.edition)
    if one.colours:
        detail += share_lines(one.last_round)
        if one.clash and one.last_round:
            short.append(may_meet(one.clash, one.last_round))
            detail += clash_lines(one.clash)
        short.append(colour_sentence(one.colours))
        detail += explain_colours(one.colours)
    known = TOLD if len(one.floats) < 2 else TOLD - FLOATED
    more = tuple(each for each in short if each.code not in known)
    return Answer(plain=tuple(plain(one)), more=more, short=tuple(short), detail=tuple(detail))


FLOATED: Final = frozenset({"explain.pair.down", "explain.pair.up"})
TOLD: Final = FLOATED | {
    f"explain.{code}"
    for code in (
        "pair.same",
        "pair.collapsed",
        "pair.together",
        "pair.bye",
        "bye.lowest",
        "bye.spared",
        "colour.both",
        "colour.one",
    )
}
"""Sentences that say no more than the plain ones."""


def plain(one: Why) -> list[Message]:
    """Three short sentences: what the player has, what the opponent has and how they met, why this colour."""
    me, other = one.player, one.opponent
    have = say("explain.plain.have", player=me, points=one.score)
    if one.pab:
        lines = [have, say("explain.plain.bye", player=me)]
        if not one.could:
            lines.append(say(f"explain.plain.bye.{'spared' if one.fewer else 'lowest'}", player=me))
        return lines
    assert one.colours is not None
    if one.score == one.opponent_score:
        met = say("explain.plain.same", opponent=other, points=one.score)
    elif not floats_to_explain(one):
        met = say("explain.plain.together", opponent=other, theirs=one.opponent_score)
    elif one.score > one.opponent_score:
        left = floats_to_explain(one)[0].score
        met = say("explain.plain.down", player=me, opponent=other, theirs=one.opponent_score, left=left)
    else:
        met = say("explain.plain.up", opponent=other, theirs=one.opponent_score)
    return [have, met, plain_colour(one.colours, me)]


def plain_colour(one: Colours, me: int) -> Message:
    """Why a player has this colour, in one short sentence."""
    white = one.white.player == me
    mine, theirs = (one.white, one.black) if white else (one.black, one.white)
    side, rule = ("w" if white else "b"), one.rule[-1]
    fields: Fields = {"player": me, "opponent": theirs.player, "colour": side, "opposite": OPPOSITE[side]}
    if rule in ("3", "5"):
        return Message(f"explain.plain.colour.{'turn' if rule == '3' else 'first'}", fields)
    if rule == "4":
        return Message("explain.plain.colour.rank", {**fields, "winner": one.higher})
    if mine.colour != side:
        return Message(f"explain.plain.colour.{'more' if rule == '2' else 'theirs'}", fields)
    return Message(f"explain.plain.colour.{mine.reason}", {**fields, "times": abs(mine.difference)})


def _board(one: Why) -> Message:
    if one.pab:
        return say("explain.board.bye", player=one.player, round=one.round)
    assert one.colours is not None
    code = "explain.board.white" if one.colours.white.player == one.player else "explain.board.black"
    return say(code, player=one.player, opponent=one.opponent, round=one.round, board=one.board)


def _bracket_of(one: Why) -> list[Message]:
    assert one.bracket is not None
    if one.pab:
        return []
    fields: Fields = {"player": one.player, "points": one.score, "score": one.bracket.score}
    if one.virtual:
        return [Message("explain.bracket.of.virtual", {**fields, "virtual": one.virtual})]
    role = one.bracket.role
    return [Message(f"explain.bracket.of.{role}" if role else "explain.bracket.of", fields)]


def _opponent(one: Why) -> list[Message]:
    """Why this opponent, for a player: where the two stand, and what else might have been."""
    me, other = one.player, one.opponent
    if one.pab:
        return _bye(one)
    if one.score == one.opponent_score:
        return _same_points(one)
    fields: Fields = {"player": me, "opponent": other, "points": one.score, "theirs": one.opponent_score}
    down = floats_to_explain(one)
    if not down:
        return [Message("explain.pair.collapsed", fields)]
    code = "explain.pair.down" if one.score > one.opponent_score else "explain.pair.up"
    lines = [Message(code, {**fields, "left": down[0].score}), *float_reason(down[0])]
    further = [each.score for each in one.floats if each.player == down[0].player and each not in down[:1]]
    if down[1:]:
        lines.append(
            say("explain.pair.further", player=me, left=further[0])
            if len(further) == 1
            else say("explain.pair.further.groups", player=me, groups=tuple(further))
        )
        lines += float_reason(down[1])
    return lines


def _same_points(one: Why) -> list[Message]:
    """Two with as many points: in order, or what kept others from it."""
    assert one.bracket is not None
    assert one.tried is not None
    me, made, first = one.player, one.bracket, one.tried.natural
    fields: Fields = {"player": me, "opponent": one.opponent, "points": one.score}
    together = made.role in ("CLB", JOINED)
    if first.chosen and made.role == "CLB":
        return [Message("explain.pair.collapsed-in-order", fields)]
    pairs = len(made.pairs)
    if first.chosen and not together and pairs < (len(made.s1) + len(made.s2)) // 2:
        code = "explain.pair.few.rest" if made.mdp_pairs else "explain.pair.few"
        return [Message(code, {**fields, "made": pairs, "count": pairs})]
    if first.chosen and not together:
        return [Message("explain.pair.rest-in-order" if made.mdp_pairs else "explain.pair.in-order", fields)]
    head = Message("explain.pair.together" if together else "explain.pair.same", fields)
    if made.role == JOINED:
        return [head]
    if one.own is None:
        return [head, say("explain.alternative.order"), *_not_in_order(first, made)]
    if one.natural_opponent:
        instead = say("explain.alternative.natural", player=me, natural=one.natural_opponent)
    else:
        instead = say("explain.alternative.left", player=me)
    return [head, instead, *consequence(one.own)]


def _not_in_order(first: Tried, made: BracketTrace) -> list[Message]:
    """What stood against the plain order, in everyday words."""
    if first.bars:
        return [forbidden(first.bars[0])]
    if first.real_value is None or first.other_value is None:
        return cause_lines(first.cause) or [say("explain.then.C.13 (2012)")]
    group = Group(made.score, made.role)
    return [then(first.criterion, first.real_value, first.other_value, group, first.candidate.downfloaters)]


def _bye(one: Why) -> list[Message]:
    """Why the bye: nobody on fewer points could have it, and what it would cost to give it to another."""
    me = one.player
    lines = [say("explain.pair.bye", player=me, round=one.round)]
    if not one.fewer:
        lines.append(say("explain.bye.lowest", player=me, points=one.score))
    elif not one.could:
        lines.append(say("explain.bye.spared", player=me, points=one.score))
    assert one.bye is not None
    other = one.bye.pab if one.bye.outcome in ("worse", "later") else 0
    return [*lines, _another_bye(me, other), *consequence(one.bye)]


def _another_bye(me: int, other: int) -> Message:
    """The bye for somebody else; 0 where nobody is known."""
    if not other:
        return say("explain.alternative.no-bye", player=me)
    return say("explain.alternative.bye", player=me, replacement=other)


def floats_to_explain(one: Why) -> list[Floated]:
    """Floats whose reasons a player reads: the first and the last of their own, the last of an opponent's."""
    if one.pab or one.score == one.opponent_score:
        return []
    if one.score > one.opponent_score:
        own = [each for each in one.floats if each.player == one.player]
        return own if len(own) < 2 else [own[0], own[-1]]
    return [each for each in one.floats if each.player == one.opponent][-1:]


# --- two players who do not meet


def answer_why_not(found: Contrast, a: int, b: int, edition: str, round: int) -> Answer:
    """Why two players do not meet, or why one does not have the bye."""
    if found.outcome == "absent":
        return Answer(short=tuple(say("explain.absent.Z", player=id, round=round) for id in found.absent))
    one = a or b
    if found.outcome == "real":
        if BYE in (a, b):
            return Answer(short=(say("explain.real.bye", player=one),))
        return Answer(short=(say("explain.real.pair", a=a, b=b),))
    if found.outcome == "forbidden":
        bars = tuple(bar if bar.b == BYE else replace(bar, a=a, b=b) for bar in found.bars)
        short = consequence(replace(found, bars=bars))
        named = [rule_line("explain.contrast.rule", found.criterion)] if found.criterion != "even" else []
        if CANONICAL.get(found.criterion, found.criterion) == "C3":
            named += share_lines(found.last_round, others=True)
        return Answer(short=tuple(short), detail=tuple(named))
    if BYE in (a, b):
        asked = say("explain.asked.bye", player=one, points=found.scores[0])
    elif found.scores[0] == found.scores[1]:
        asked = say("explain.asked.same", a=a, b=b, points=found.scores[0])
    else:
        code = "explain.asked.differ.stay" if _stays(found, a, b) else "explain.asked.differ"
        asked = say(code, a=a, b=b, points=found.scores[0], theirs=found.scores[1])
    short = [asked, *consequence(found)]
    detail = share_lines(found.last_round)
    detail += clash_lines(found.clash) if found.clash else []
    return Answer(short=tuple(short), detail=(*detail, *explain_contrast(found, edition)))


def _stays(found: Contrast, a: int, b: int) -> bool:
    """Whether two do not meet since the one with more points stays among others on the same points.

    [C6, C7] That is the reason only where one of these decides in that player's own group.
    """
    higher, score = max((found.scores[0], a), (found.scores[1], b))[::-1]
    if CANONICAL.get(found.criterion, found.criterion) not in ("C6", "C7") or found.real is None:
        return False
    alike = found.real.pairs if found.real.score == score and not found.real.role else ()
    return any(higher in pair for pair in alike)


# --- what would have come of it


def consequence(found: Contrast) -> list[Message]:
    """What an alternative would have led to, in everyday words."""
    if found.outcome == "forbidden":
        if found.criterion == "even":
            return [say("explain.forbidden.even")]
        return [forbidden(bar) for bar in found.bars[:1]]
    if found.outcome == "incomplete":
        if found.bracket >= 0:  # [2012 C.13] there is a round, but not with these brackets
            return [say("explain.then.C.13 (2012)"), *cause_lines(found.cause, found.real)]
        return cause_lines(found.cause)
    group = Group(found.real.score, found.real.role) if found.real else Group(0)
    if found.outcome == "later":
        return [say("explain.then.later", group=group), *cause_lines(found.cause, found.real)]
    assert found.real_value is not None
    assert found.other_value is not None
    people = _downfloaters(found)
    return [
        then(found.criterion, found.real_value, found.other_value, group, people),
        *cause_lines(found.cause, found.real),
    ]


OWN_WORDS: Final = ("C.6", "C.12 (2012)")
"""Criteria that count something else than those of 2026 in their place."""


def then(criterion: str, real: Value, other: Value, group: Group, people: tuple[int, ...] = ()) -> Message:
    """One criterion that would have got worse."""
    name = CANONICAL.get(criterion, criterion)
    if name == "C8" and isinstance(real, tuple):  # 2012 C.12 is a count
        assert isinstance(other, tuple)
        return _next_bracket(criterion, real, other, group)
    if group.role == JOINED and name == "C7":  # [2012 B.3] squares of the score differences
        return say("explain.then.B.3 joined", group=group)
    if group.role == JOINED and name == "M1":  # [2012 C.13] of S1
        return say("explain.then.M1 joined")
    fields: Fields = {
        "real": Measured(criterion, real),
        "otherwise": Measured(criterion, other),
        "group": group,
    }
    if isinstance(other, int) and name != "C5":
        assert isinstance(real, int)
        fields |= {"real": Counted(real), "otherwise": Counted(other), "count": other}
    if name == "C6":
        fields["people"] = people
    return Message(f"explain.then.{criterion if criterion in OWN_WORDS else name}", fields)


def _next_bracket(criterion: str, real: tuple[int, ...], other: tuple[int, ...], group: Group) -> Message:
    """[C8, 2017 C.7] Downfloaters of the next bracket, or their scores."""
    if len(other) == 1 and other[0]:
        return say("explain.then.C8.none", group=group)
    if real[0] != other[0]:
        return say(
            "explain.then.C8", real=Counted(real[0]), otherwise=Counted(other[0]), count=other[0], group=group
        )
    code = "explain.then.C.7.scores" if criterion == "C.7" else "explain.then.C8.scores"
    scores = "C7" if criterion == "C8" else "C.6"
    return say(code, real=Measured(scores, real[1:]), otherwise=Measured(scores, other[1:]), group=group)


def _downfloaters(found: Contrast) -> tuple[int, ...]:
    """Who would float, those first who do not float now."""
    if found.other is None or found.real is None:
        return ()
    now = found.real.downfloaters
    return tuple(sorted(found.other.downfloaters, key=lambda id: id in now))


# --- who went down


def float_reason(one: Floated) -> list[Message]:
    """Why a player left a bracket unpaired, in everyday words."""
    me, group = one.player, one.score
    if one.alone:
        return [say("explain.float.alone", player=me, points=one.own_score if one.bye else one.score)]
    if one.bars:
        others = tuple(bar.a + bar.b - me for bar in one.bars)
        if all(CANONICAL.get(bar.rule, bar.rule) == "C1" for bar in one.bars):
            met = Meeting(tuple((id, bar.round) for id, bar in zip(others, one.bars, strict=True)))
            code = "explain.float.alone.met" if one.only_moved_down else "explain.float.met"
            return [say(code, player=me, points=group, met=met)]
        if one.only_moved_down:
            return [say("explain.float.alone.barred", player=me, points=group, people=others)]
        return [say("explain.float.barred", player=me, points=group)]
    found = one.contrast
    assert found is not None
    return [_other_choice(one, found), *consequence(found)]


def _other_choice(one: Floated, found: Contrast) -> Message:
    """What the alternative to a float was."""
    me = one.player
    if one.bye:
        return _another_bye(me, found.pab)
    if found.real and found.other and found.bracket == one.bracket:
        now, then_ = set(found.real.downfloaters), set(found.other.downfloaters)
        if len(now) == len(then_) and len(then_ - now) == 1 and now - then_ == {one.player}:
            [instead] = then_ - now
            return say("explain.alternative.down", player=me, replacement=instead)
    return say("explain.alternative.stay", player=me, points=one.score)


def explain_float(one: Floated, edition: str, brief: bool = False, reasons: bool = True) -> list[Message]:
    """A float for an arbiter: the reason, the rule and the best alternative."""
    lines = [say("explain.float.down", player=one.player, points=one.score)]
    if one.bye:
        lines = [say("explain.float.bye", player=one.player)]
    lines += float_reason(one) if reasons else []
    if one.bars and any(CANONICAL.get(bar.rule, bar.rule) != "C1" for bar in one.bars):
        lines.append(say("explain.natural.bars", bars=bars_field(one.bars)))
    if one.contrast is not None:
        elsewhere = not one.bye and one.contrast.bracket not in (-1, one.bracket)
        lines += explain_contrast(one.contrast, edition, chosen=elsewhere, brief=brief)
    return lines


def explain_contrast(
    found: Contrast, edition: str, chosen: bool = True, brief: bool = False
) -> list[Message]:
    """An alternative for an arbiter: criterion, values, both candidates."""
    if found.outcome in ("forbidden", "incomplete"):
        named = found.criterion != "even" and not brief
        return [rule_line("explain.contrast.rule", found.criterion)] if named else []
    if found.real is None or found.other is None:
        return []
    lines = []
    if found.outcome == "worse":
        assert found.real_value is not None
        assert found.other_value is not None
        code = "explain.contrast.worse.brief" if brief else "explain.contrast.worse"
        lines.append(worse(code, found.criterion, found.real_value, found.other_value))
    else:
        lines += [] if brief else [say("explain.contrast.later")]
        if found.step:
            lines.append(say(f"explain.later.step.{found.step}", article=found.article))
        lines += [] if brief else [say("explain.later.first", article=EDITIONS[edition].first_of_equals)]
    if chosen and found.real.role == "CLB":
        lines.append(say("explain.contrast.chosen.CLB", candidate=shown(found.real, found.other)))
    elif chosen:
        candidate = shown(found.real, found.other)
        lines.append(say("explain.contrast.chosen", candidate=candidate, score=found.real.score))
    code = "explain.contrast.found" if found.untried else "explain.contrast.best"
    lines.append(say(code, candidate=shown(found.other, found.real)))
    if found.untried:
        ahead = EDITIONS[edition].name_of("C8")
        lines.append(say("explain.unproven", untried=found.untried, criterion=ahead))
    return lines


# --- colours of a board


OPPOSITE: Final = {"w": "b", "b": "w"}


def colour_sentence(one: Colours) -> Message:
    """Whose wish was granted, and why."""
    white, black = one.white, one.black
    rule = one.rule[-1]
    if rule == "1":
        if white.colour and black.colour:
            return say("explain.colour.both", white=white.player, black=black.player)
        due, none = (white, black) if white.colour else (black, white)
        return say("explain.colour.one", player=due.player, other=none.player, colour=due.colour)
    if rule == "5":
        side = "w" if one.higher == white.player else "b"
        parity = "odd" if one.number % 2 else "even"
        return say(f"explain.colour.first.{parity}", player=one.higher, number=one.number, colour=side)
    winner, loser = (white, black) if white.colour == "w" else (black, white)
    fields: Fields = {"winner": winner.player, "loser": loser.player}
    fields |= {"colour": winner.colour, "opposite": OPPOSITE[winner.colour]}
    if rule == "3":
        return Message("explain.colour.alternate", fields)
    if rule == "4":
        alike = winner.history.strip("-") == loser.history.strip("-")
        return Message("explain.colour.rank" if alike else "explain.colour.rank.shorter", fields)
    if winner.strength == loser.strength:
        return wider(winner, loser, fields)
    fields["difference"] = abs(winner.difference)
    return Message(f"explain.colour.stronger.{winner.reason}", fields)


def wider(winner: Preference, loser: Preference, fields: Fields) -> Message:
    """[5.2.2, 2017 E.2] Both must have the colour: the wider difference decides.

    Two games in a row may ask for the colour although the difference does not: then both are said as
    they are.
    """
    asks = 1 if winner.colour == "b" else -1
    if winner.difference * asks > 0 < loser.difference * asks:
        often = {"times": abs(winner.difference), "other_times": abs(loser.difference)}
        return Message("explain.colour.wider", {**fields, **often})
    mine, theirs = signed_difference(winner.history), signed_difference(loser.history)
    return Message("explain.colour.wider.row", {**fields, "difference": mine, "other_difference": theirs})


def explain_colours(one: Colours) -> list[Message]:
    """The rule, both preferences, and both histories aligned from the latest game (C.04.2:3.4)."""
    lines = [say("explain.colours.rule", player=one.white.player, article=one.rule, meaning=rule_of(one))]
    if one.number:
        return [*lines, say("explain.colours.number", player=one.higher, number=one.number)]
    lines += [due_line(one.white), due_line(one.black)]
    long = max(len(one.white.history), len(one.black.history))
    if long:
        for player in (one.white, one.black):
            history = player.history.rjust(long, "-")
            lines.append(say("explain.colours.history", player=player.player, history=history))
    if one.differed:
        lines.append(say("explain.colours.differed", ago=one.differed, count=one.differed))
    return lines


def rule_of(one: Colours) -> str:
    """The rule that decided; the second sentence of 5.2.2 (2017 E.2) apart from its first."""
    both = one.white.strength == "absolute" == one.black.strength
    return WIDER if one.rule[-1] == "2" and both else one.rule


def due_line(one: Preference) -> Message:
    if not one.colour:
        return say("explain.colours.due.none", player=one.player)
    return say(
        f"explain.colours.due.{one.strength}.{one.reason}",
        player=one.player,
        colour=one.colour,
        opposite=OPPOSITE[one.colour],
        difference=f"{one.difference:+d}",
    )


# --- what was tried


def explain_trials(
    tried: Trials, chosen: BracketTrace, keep: Collection[int] = (), brief: bool = False, perfect: bool = True
) -> list[Message]:
    """The first candidate, what excluded it, the first legal one, and how the chosen one arises."""
    if not (chosen.pairs or chosen.mdp_pairs):
        return []
    first = tried.natural
    if first.chosen:
        code = "explain.natural.chosen" if perfect else "explain.natural.best"
        return [say(code, candidate=shown(chosen, None, keep))]
    lines = [say("explain.natural.first", candidate=shown(first.candidate, chosen, keep))]
    lines += excluded(first, brief)
    legal = tried.first_legal
    if legal is not None and not legal.chosen:
        lines.append(say("explain.legal.first", candidate=shown(legal.candidate, chosen, keep)))
        lines += excluded(legal, brief)
    code = "explain.legal.chosen" if legal is not None and legal.chosen else "explain.chosen"
    lines.append(say(code, candidate=shown(chosen, first.candidate, keep)))
    return [*lines, *(step_line(step) for step in tried.steps)]


def excluded(one: Tried, brief: bool = False) -> list[Message]:
    if one.bars and one.bars[0].b:
        return [say("explain.natural.bars", bars=bars_field(one.bars))]
    if one.bars:
        return [forbidden(one.bars[0]), rule_line("explain.natural.rule", one.criterion)]
    if one.real_value is None or one.other_value is None:
        return [rule_line("explain.natural.rule", one.criterion), *cause_lines(one.cause)]
    code = "explain.natural.worse.brief" if brief else "explain.natural.worse"
    return [worse(code, one.criterion, one.real_value, one.other_value)]


def step_line(step: Step) -> Message:
    if step.kind == "mdp-set" and not step.players:
        return say("explain.step.mdp-set.none", article=step.article)
    if step.kind == "exchange":
        down, up = (tuple(pair[at] for pair in step.pairs) for at in (0, 1))
        return say("explain.step.exchange", down=down, up=up, article=step.article)
    if step.kind == "mdp-opponents":
        return say("explain.step.mdp-opponents", candidate=_some(step.pairs), article=step.article)
    code = "explain.step.mdp-set" if step.kind == "mdp-set" else "explain.step.transposition"
    return say(code, numbered=step.players, article=step.article)


def _some(pairs: tuple[tuple[int, int], ...]) -> Candidate:
    return Candidate(pairs[:MANY], (), len(pairs) if len(pairs) > MANY else 0)


# --- topscorers of the last round


def may_meet(one: Clash, last: LastRound) -> Message:
    """For a player: why two who must have the same colour may meet."""
    top = next(each for each in last.players if each.topscorer)
    fields = {"player": top.player, "scored": points(top.points), "possible": last.most}
    return Message("explain.topscorer.may-meet", {**fields, **pair_fields(one)})


def clash_lines(one: Clash) -> list[Message]:
    """For an arbiter: the rule that does not keep two apart, and the criteria that count the pair."""
    code = "explain.topscorer.B.2" if one.rule == "B.2" else "explain.topscorer.apart"
    counted = [say("explain.topscorer.counted", criterion=name, meaning=name) for name in one.counted]
    return [Message(code, {**pair_fields(one), "rule": one.rule}), *counted]


def share_lines(last: LastRound | None, others: bool = False) -> list[Message]:
    """Who of those asked about is a topscorer; with ``others``, who is not."""
    if last is None:
        return []
    return [
        say(
            "explain.topscorer.is" if one.topscorer else "explain.topscorer.not",
            player=one.player,
            scored=points(one.points),
            possible=last.most,
            article=last.article,
        )
        for one in last.players
        if one.topscorer or others
    ]


def topscorers_line(last: LastRound, here: bool = False) -> Message:
    """All topscorers of the round, or ``here`` of a bracket, by number."""
    if not last.topscorers:
        code = "explain.bracket.topscorers.none" if here else "explain.round.topscorers.none"
        return say(code, possible=last.most, article=last.article)
    return say(
        "explain.bracket.topscorers" if here else "explain.round.topscorers",
        numbered=last.topscorers,
        possible=last.most,
        article=last.article,
        count=len(last.topscorers),
    )


def pair_fields(one: Clash) -> Fields:
    return {"a": one.a, "b": one.b, "colour": one.colour}


# --- single reasons


def rule_line(code: str, criterion: str) -> Message:
    return say(code, criterion=criterion, meaning=criterion)


def worse(code: str, criterion: str, real: Value, other: Value) -> Message:
    return say(
        code,
        criterion=criterion,
        meaning=criterion,
        real=Measured(criterion, real),
        otherwise=Measured(criterion, other),
    )


def forbidden(bar: Bar) -> Message:
    """An absolute rule between two players, or between a player and the bye."""
    rule = CANONICAL.get(bar.rule, bar.rule)
    if rule == "C2":
        code = "explain.forbidden.C2" if bar.rule == "C2" else "explain.forbidden.C.2"
        if bar.rule == "B.1.b":
            code = "explain.forbidden.B.1.b"
        return say(code, player=bar.a, round=bar.round)
    if rule == "C1":
        return say("explain.forbidden.C1", a=bar.a, b=bar.b, round=bar.round)
    if rule == "C3":
        return say("explain.forbidden.C3", a=bar.a, b=bar.b, colour=bar.colour)
    return say("explain.forbidden.prohibited", a=bar.a, b=bar.b)


def bars_field(bars: tuple[Bar, ...]) -> Bars:
    return Bars(tuple((bar.a, bar.b, bar.rule, bar.round) for bar in bars))


def cause_lines(cause: Cause | None, stands: BracketTrace | None = None) -> list[Message]:
    """Who would be left without an opponent; ``stands`` is the bracket whose pairs would stay."""
    if cause is None:
        return []
    fields: Fields = {}
    so = ""
    if cause.bracket >= 0 and stands is not None:
        so = "stands."
        fields["points"] = stands.score
    if cause.chain:
        fields["pairs"] = cause.chain
    if cause.no_bye:
        return [Message(f"explain.cause.{so}no-bye{'-chain' if cause.chain else ''}", fields)]
    if cause.nobody:
        fields["player"] = cause.nobody
        return [Message(f"explain.cause.{so}{'chain' if cause.chain else 'nobody'}", fields)]
    fields["people"] = tuple(id for id in cause.group if id)
    if cause.helpers:
        few = "few" if cause.alone else "helpers"
        return [Message(f"explain.cause.{so}{few}", {**fields, "helpers": cause.helpers})]
    return [Message(f"explain.cause.{so}group", fields)]


def shown(one: BracketTrace, against: BracketTrace | None = None, keep: Collection[int] = ()) -> Candidate:
    """A candidate; of a large one the pairs of ``keep``, and the first that the other one has not."""
    pairs = (*one.mdp_pairs, *one.pairs)
    if len(pairs) <= MANY:
        return Candidate(pairs, one.downfloaters)
    other = (*against.mdp_pairs, *against.pairs) if against else ()
    own = [pair for pair in pairs if not set(pair).isdisjoint(keep)]
    new = [pair for pair in pairs if pair not in other and pair not in own]
    picked = {*own, *new[: MANY - len(own)]}
    return Candidate(tuple(pair for pair in pairs if pair in picked), one.downfloaters, len(pairs))
