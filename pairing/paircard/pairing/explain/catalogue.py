"""Every sentence that explains a round, in English: key -> template with named fields.

Each template is a whole sentence, so that it can be translated without the others. Where a sentence depends
on a number, its templates go by plural category (``one``, ``other``) of the field ``count``. Another language
is another ``Catalogue`` with the same keys and fields.

    short answers   pair.* alternative.* then.* cause.* float.* colour.* forbidden.* absent.*
    for arbiters    bracket.* natural.* legal.* step.* values.* rule.* article.*
    standings       place.*
    small parts     list.* points candidate.* side.* history.*
"""

from collections.abc import Callable, Mapping
from typing import Final

import msgspec

Template = str | Mapping[str, str]


class Catalogue(msgspec.Struct, frozen=True):
    """The sentences of one language."""

    language: str
    """As in HTML's ``lang``."""
    templates: Mapping[str, Template]
    category: Callable[[int], str]
    """Plural category of a count in tenths (10 is one)."""

    def template(self, key: str, count: int) -> str:
        """The template for a key; ``count`` in tenths where it has several."""
        found = self.templates[key]
        return found if isinstance(found, str) else found[self.category(count)]


def english(tenths: int) -> str:
    """``one`` for up to one of them, but for none."""
    return "one" if 0 < tenths <= 10 else "other"


SHORT: Final[dict[str, Template]] = {
    # who meets whom
    "pair.in-order": "{player} and {opponent} both have {points}. Among the players on these points the top "
    "half meets the bottom half in order, and that puts the two together.",
    "pair.rest-in-order": "{player} and {opponent} both have {points}. Among the players on these points who "
    "were left the top half meets the bottom half in order, and that puts the two together.",
    "pair.collapsed-in-order": "{player} and {opponent} both have {points}. The lowest score groups could "
    "only be paired together, and there the top half meets the bottom half in order.",
    "pair.further": "{player} was not paired among the players on {group} either.",
    "pair.same": "{player} and {opponent} both have {points}.",
    "pair.down": "{player} has {points} and {opponent} {other_points}: {player} was not paired among the "
    "players on {group} and went down.",
    "pair.up": "{player} has {points} and {opponent} {other_points}: {opponent} was not paired among the "
    "players on {group} and went down.",
    "pair.collapsed": "{player} has {points} and {opponent} {other_points}: the lowest score groups could "
    "only be paired together.",
    "pair.bye": "The number of players is odd, and {player} gets the bye in round {round}.",
    # what else might have been
    "alternative.natural": "In plain order {player} would have met {natural}.",
    "alternative.left": "In plain order {player} would have been left over in this score group.",
    "alternative.down": "The best other choice was to send {instead} down instead of {player}.",
    "alternative.stay": "The other choice was to pair {player} among the players on {points}.",
    "alternative.bye": "The best other choice was to give the bye to {instead}.",
    "alternative.no-bye": "The other choice was to pair {player} and to give the bye to somebody else.",
    "asked.same": "{a} and {b} both have {points} and might have met.",
    "asked.differ": "{a} has {points} and {b} {other_points}: they might have met, but players stay among "
    "others on the same points as long as that works out.",
    "asked.bye": "{player}, who has {points}, might have had the bye.",
    # what would have come of it
    "then.C4": "Then not everybody could be paired.",
    "then.C.13 (2012)": "Then the last score groups could not be paired as they were.",
    "then.C5": "Then the bye would go to a player with {other} instead of {real}.",
    "then.C6": {
        "one": "Then {other} player instead of {real} would have to leave {group} and go down: {people}.",
        "other": "Then {other} players instead of {real} would have to leave {group} and go down: {people}.",
    },
    "then.M1": {
        "one": "Then {other} player who came down into {group} instead of {real} could not be paired there.",
        "other": "Then {other} players who came down into {group} instead of {real} could not be paired "
        "there.",
    },
    "then.C.12 (2012)": {
        "one": "Then the score group below {group} would lack {other} opponent or pair, not {real}.",
        "other": "Then the score group below {group} would lack {other} opponents or pairs, not {real}.",
    },
    "then.B2": {
        "one": "Then {other} pair in {group} instead of {real} would be of two who must have the same "
        "colour.",
        "other": "Then {other} pairs in {group} instead of {real} would be of two who must have the same "
        "colour.",
    },
    "then.A7d": {
        "one": "Then {other} pair in {group} instead of {real} would be of two strongly due the same colour.",
        "other": "Then {other} pairs in {group} instead of {real} would be of two strongly due the same "
        "colour.",
    },
    "then.Z": {
        "one": "Then {other} pair in {group} instead of {real} would be of two strongly due the same colour.",
        "other": "Then {other} pairs in {group} instead of {real} would be of two strongly due the same "
        "colour.",
    },
    "then.C7": "Then players with more points would have to go down from {group}: {other} instead of {real}.",
    "then.C.6": "Then the score differences in {group} would be larger: {other} instead of {real}.",
    "then.C8": {
        "one": "Then {other} player instead of {real} would have to go down from the score group below "
        "{group}.",
        "other": "Then {other} players instead of {real} would have to go down from the score group below "
        "{group}.",
    },
    "then.C8.scores": "Then players with more points would have to go down from the score group below "
    "{group}: {other} instead of {real}.",
    "then.C.7.scores": "Then the score differences in the score group below {group} would be larger: {other} "
    "instead of {real}.",
    "then.C8.none": "Then the score group below {group} could not be paired at all.",
    "then.C9": {
        "one": "Then the bye would go to a player with {other} game not played instead of {real}.",
        "other": "Then the bye would go to a player with {other} games not played instead of {real}.",
    },
    "then.C10": {
        "one": "Then {other} pair with a topscorer in {group} instead of {real} would give somebody one "
        "colour three times more than the other.",
        "other": "Then {other} pairs with a topscorer in {group} instead of {real} would give somebody one "
        "colour three times more than the other.",
    },
    "then.C11": {
        "one": "Then {other} pair with a topscorer in {group} instead of {real} would give somebody one "
        "colour three times in a row.",
        "other": "Then {other} pairs with a topscorer in {group} instead of {real} would give somebody one "
        "colour three times in a row.",
    },
    "then.C12": {
        "one": "Then {other} player in {group} instead of {real} would not get the colour due.",
        "other": "Then {other} players in {group} instead of {real} would not get the colour due.",
    },
    "then.C13": {
        "one": "Then {other} player in {group} instead of {real} would not get a colour that is strongly "
        "due.",
        "other": "Then {other} players in {group} instead of {real} would not get a colour that is strongly "
        "due.",
    },
    "then.C14": {
        "one": "Then {other} player in {group} instead of {real} would go down for the second time in a row.",
        "other": "Then {other} players in {group} instead of {real} would go down for the second time in a "
        "row.",
    },
    "then.C15": {
        "one": "Then {other} player in {group} instead of {real} would meet somebody with more points for "
        "the second time in a row.",
        "other": "Then {other} players in {group} instead of {real} would meet somebody with more points for "
        "the second time in a row.",
    },
    "then.C16": {
        "one": "Then {other} player in {group} instead of {real} would go down again, as two rounds ago.",
        "other": "Then {other} players in {group} instead of {real} would go down again, as two rounds ago.",
    },
    "then.C17": {
        "one": "Then {other} player in {group} instead of {real} would meet somebody with more points "
        "again, as two rounds ago.",
        "other": "Then {other} players in {group} instead of {real} would meet somebody with more points "
        "again, as two rounds ago.",
    },
    "then.C18": "Then players in {group} who went down in the last round would go down further: by {other} "
    "instead of {real}.",
    "then.C19": "Then players in {group} who met more points in the last round would meet still more again: "
    "by {other} instead of {real}.",
    "then.C20": "Then players in {group} who went down two rounds ago would go down further: by {other} "
    "instead of {real}.",
    "then.C21": "Then players in {group} who met more points two rounds ago would meet still more again: by "
    "{other} instead of {real}.",
    "then.later": "That would be no better and no worse by any rule in {group}; of equals the rules take the "
    "one that comes first in their fixed order, and this one comes later.",
    # who would be left without an opponent
    "cause.nobody": "Then {player} would have nobody left to play.",
    "cause.chain": "Then the only way to go on would be {pairs}, and {player} would have nobody left to "
    "play.",
    "cause.no-bye": "Then nobody would be left who may have the bye.",
    "cause.no-bye-chain": "Then the only way to go on would be {pairs}, and nobody would be left who may "
    "have the bye.",
    "cause.helpers": "Then {people} would have nobody to play but each other and {helpers}, and that is too "
    "few.",
    "cause.group": "Then {people} would have nobody to play but each other, and that does not come out even.",
    "cause.stands.nobody": "If the pairs of the players on {points} stayed, {player} would have nobody left "
    "to play.",
    "cause.stands.chain": "If the pairs of the players on {points} stayed, the only way to go on would be "
    "{pairs}, and then {player} would have nobody left to play.",
    "cause.stands.no-bye": "If the pairs of the players on {points} stayed, nobody would be left who may "
    "have the bye.",
    "cause.stands.no-bye-chain": "If the pairs of the players on {points} stayed, the only way to go on "
    "would be {pairs}, and then nobody would be left who may have the bye.",
    "cause.stands.helpers": "If the pairs of the players on {points} stayed, {people} would have nobody to "
    "play but each other and {helpers}, and that is too few.",
    "cause.stands.group": "If the pairs of the players on {points} stayed, {people} would have nobody to "
    "play but each other, and that does not come out even.",
    # who went down
    "float.alone": "{player} was the only player left on {points}.",
    "float.met": "{player} has already played everybody else in the group of {points}: {games}.",
    "float.barred": "Nobody else in the group of {points} may meet {player}.",
    # what is forbidden
    "forbidden.C1": "{a} and {b} have already played each other, in round {round}.",
    "topscorer.may-meet": "{a} and {b} may meet although both must have {colour}: {player}, with {score} of "
    "{most}, is a topscorer in the last round.",
    "forbidden.C3": "{a} and {b} both must have {colour}: neither can be given the other colour again.",
    "forbidden.prohibited": "{a} and {b} may not meet in this tournament: the organiser announced it.",
    "forbidden.C2": "{player} may not have the bye: in round {round} {player} had it, or got as much as a "
    "win without playing.",
    "forbidden.C.2": "{player} may not have the bye: in round {round} {player} had it, or won because the "
    "opponent did not appear.",
    "forbidden.B.1.b": "{player} may not have the bye: in round {round} {player} had it, or got a point or "
    "half a point without playing.",
    "forbidden.even": "The number of players is even: nobody gets a bye.",
    "real.pair": "{a} and {b} do meet.",
    "real.bye": "{player} has the bye.",
    # who does not play
    "absent.H": "{player} is not paired in round {round}: a half-point bye.",
    "absent.F": "{player} is not paired in round {round}: a full-point bye.",
    "absent.Z": "{player} is not paired in round {round}: absent.",
    "absent.withdrawn": "{player} is not paired in round {round}: withdrawn.",
    "absent.expelled": "{player} is not paired in round {round}: expelled.",
    "absent.late": "{player} entered after round {round} was paired.",
    # colours
    "colour.both": "{white} was due White and {black} Black: both get it.",
    "colour.one": "{player} was due {colour} and gets it; {other} has had no colour yet.",
    "colour.stronger.row": "Both were due {colour}: {winner} has had {opposite} twice in a row and gets it.",
    "colour.stronger.wide": "Both were due {colour}: {winner} has had {opposite} {difference} times more "
    "than {colour} and gets it.",
    "colour.stronger.one": "Both were due {colour}: {winner} has had {opposite} once more than {colour} and "
    "gets it, {loser} has had as many of both.",
    "colour.wider": "Both must have {colour}: {winner} has had {opposite} {times} more than {colour}, "
    "{loser} {other_times} more, so {winner} gets it.",
    "colour.wider.row": "Both must have {colour}: {winner} has the wider colour difference, {difference} "
    "against {other_difference}, and gets it.",
    "colour.alternate": "Both were due {colour}: the last time their colours differed {winner} had "
    "{opposite} and {loser} {colour}, so now {winner} gets it.",
    "colour.rank": "Both were due {colour} and had the same colours so far: {winner} ranks higher and gets "
    "it.",
    "colour.rank.shorter": "Both were due {colour} and had the same colours as far back as both have played: "
    "{winner} ranks higher and gets it.",
    "colour.first.odd": "Neither has had a colour yet: {player} ranks higher with the odd number {number}, "
    "and odd numbers begin with {colour}.",
    "colour.first.even": "Neither has had a colour yet: {player} ranks higher with the even number {number}, "
    "and even numbers begin with {colour}.",
}

DETAIL: Final[dict[str, Template]] = {
    "board.white": "{player} has White against {opponent} in round {round}, on board {board}.",
    "board.black": "{player} has Black against {opponent} in round {round}, on board {board}.",
    "board.bye": "{player} has the pairing-allocated bye in round {round}.",
    "bracket.of": "{player}, on {points}, was paired in the bracket of {score}.",
    "bracket.of.virtual": "{player}, on {points} with {virtual} of acceleration (C.04.7), was paired in the "
    "bracket of {score}.",
    "bracket.of.PPB": "{player}, on {points}, was paired in the penultimate bracket (PPB) of {score}.",
    "bracket.of.CLB": "{player}, on {points}, was paired in the collapsed last bracket (CLB).",
    "bracket.of.joined": "{player}, on {points}, was paired in the joined last bracket (C.13).",
    "bracket.of.homogeneous": "{player}, on {points}, was paired in the bracket of {score}, treated as "
    "homogeneous since at least half of it moved down (A.3).",
    "bracket.topscorers": {
        "one": "Last round: the topscorer here is {players} (more than half of {most}, {article}).",
        "other": "Last round: topscorers here are {players} (more than half of {most}, {article}).",
    },
    "bracket.topscorers.none": "Last round: no topscorers here (more than half of {most}, {article}).",
    "bracket.title.joined": "Joined last bracket (C.13)",
    "bracket.title.homogeneous": "Bracket of {score}, treated as homogeneous (A.3)",
    "bracket.title": "Bracket of {score}",
    "bracket.title.PPB": "Penultimate bracket (PPB) of {score}",
    "bracket.title.CLB": "Collapsed last bracket (CLB)",
    "bracket.parts": "{parts}.",
    "bracket.parts.homogeneous": "Homogeneous: {parts}.",
    "bracket.parts.heterogeneous": "Heterogeneous: {parts}.",
    "bracket.numbers": "{numbers}.",
    "bracket.lowered": "P1 is lowered to {pairs}, and with it X1 to {x} (C.14).",
    "bracket.lowered.Z1": "P1 is lowered to {pairs}, and with it X1 to {x} and Z1 to {z} (C.14).",
    "bracket.collapsed": "Paired for itself ({candidate}), it would leave a rest that cannot be paired: "
    "all scoregroups below collapse into one bracket (A.9).",
    "bracket.rest": "The others can be paired, for instance {candidate}.",
    "natural.chosen": "In order, {candidate}: nothing stood against it.",
    "natural.best": "In order, {candidate}: no other candidate is better.",
    "natural.first": "In order it would have been {candidate}.",
    "natural.bars": "Not allowed: {bars}.",
    "natural.worse": "Excluded by {criterion}, {rule}: {other} instead of {real}.",
    "natural.worse.brief": "Excluded by {criterion}: {other} instead of {real}.",
    "natural.rule": "Excluded by {criterion}, {rule}.",
    "legal.first": "The first candidate that the absolute rules allow: {candidate}.",
    "legal.chosen": "The first candidate that the absolute rules allow is the one chosen: {candidate}.",
    "chosen": "Chosen: {candidate}.",
    "step.mdp-set": "Of the players moved down {players} are paired here ({article}).",
    "step.mdp-set.none": "None of the players moved down is paired here ({article}).",
    "step.mdp-opponents": "The players moved down meet others than the first in order: {candidate} "
    "({article}).",
    "step.exchange": "{down} and {up} change halves ({article}).",
    "step.transposition": "The bottom half is met in the order {players} ({article}).",
    "later.step.mdp-set": "The alternative pairs another set of moved-down players, which comes later "
    "({article}).",
    "later.step.mdp-opponents": "The alternative gives the moved-down players a later transposition of "
    "opponents ({article}).",
    "later.step.exchange": "The alternative takes a later exchange between S1 and S2 ({article}).",
    "later.step.transposition": "The alternative is a later transposition of S2 ({article}).",
    "later.first": "Of equal candidates the one generated first is chosen ({article}).",
    "contrast.rule": "The rule: {criterion}, {rule}.",
    "contrast.worse": "Worse by {criterion}, {rule}: {other} instead of {real}.",
    "contrast.worse.brief": "{criterion}: {other} instead of {real}.",
    "contrast.later": "Equal in every criterion, but generated later.",
    "contrast.chosen": "In the bracket of {score}, chosen: {candidate}.",
    "contrast.chosen.CLB": "In the collapsed last bracket, chosen: {candidate}.",
    "contrast.best": "The best otherwise: {candidate}.",
    "contrast.found": "The best found otherwise: {candidate}.",
    "contrast.round": "That round, White first: {candidate}.",
    "contrast.round.same": {
        "one": "That round, White first: {candidate}; 1 board as it is.",
        "other": "That round, White first: {candidate}; {same} boards as they are.",
    },
    "contrast.question": "Why not {natural}?",
    "unproven": "Not proven to be the best: {untried} possible sets of downfloaters were too many to try one "
    "by one. The set tried is the one the engine chooses if the alternative is taken for a rule; another may "
    "do better by {criterion} or a later criterion.",
    "float.down": "{player} floated down from the bracket of {points}.",
    "float.bye": "{player} has the bye.",
    "values.perfect": "Perfect: no criterion could be met better.",
    "values.least": "Perfect: no criterion could be met better. What cannot be avoided: {values}.",
    "values.best": "No better candidate: {values}.",
    "values.best.least": "No better candidate: {values}. What cannot be avoided: {least}.",
    "topscorer.is": "{player} has {score} of {most}, more than half: a topscorer in the last round "
    "({article}).",
    "topscorer.not": "{player} has {score} of {most}, not more than half: no topscorer in the last round "
    "({article}).",
    "topscorer.apart": "{a} and {b} both must have {colour}; {rule} does not keep them apart, for it speaks "
    "of two non-topscorers.",
    "topscorer.B.2": "{a} and {b} both must have {colour}; {rule} may be ignored for topscorers where that "
    "makes floaters fewer or their scores lower.",
    "topscorer.counted": "{criterion} counts 1 for this pair: {rule}.",
    "colours.rule": "{player} has White by {article}: {rule}.",
    "colours.due.absolute.row": "{player} is due {colour}, absolutely: {opposite} twice in a row.",
    "colours.due.absolute.wide": "{player} is due {colour}, absolutely: colour difference {difference}.",
    "colours.due.strong.one": "{player} is due {colour}, strongly: colour difference {difference}.",
    "colours.due.mild.last": "{player} is due {colour}, mildly: {opposite} in the last game.",
    "colours.due.none": "{player} is due no colour.",
    "colours.history": "{history}  {player}",
    "colours.differed": {
        "one": "They differ first in their last games.",
        "other": "They differ first in the games {ago} back.",
    },
    "colours.number": "{player} ranks higher, number {number} of those who took part.",
    "edition.dutch-2026": "FIDE (Dutch) System C.04.3, edition 2026",
    "edition.dutch-2017": "FIDE (Dutch) System C.04.3, edition 2017 (Baku 2016 text)",
    "edition.dutch-2012": "FIDE (Dutch) System, edition 2012 (Istanbul 2012 text)",
    "edition.dutch-2012-javafo": "FIDE (Dutch) System, edition 2012 (Istanbul) as JaVaFo 1.4 read it",
    # the sieve
    "sieve.members": "Sequence numbers from 1: {players}.",
    "sieve.apart": "May not meet: {bars}.",
    "sieve.apart.none": "All of them may meet.",
    "sieve.more": "More candidates follow; those up to here, and the chosen one, are listed.",
    "sieve.excluded": "worse by {criterion}",
    "sieve.C4": "{criterion}: the rest cannot be paired",
    "sieve.later": "equal, comes later",
    "sieve.chosen": "chosen",
    "sieve.none": "all at their least",
    # how a round came to be as it is
    "note.altered": "Round {round} was altered by hand by {by}.",
    "note.altered.why": "Round {round} was altered by hand by {by}: {why}.",
    "note.played": "Round {round} was played otherwise than it was paired.",
    "note.manual": "Round {round} was paired by hand; this is how the engine pairs it.",
    "note.import": "The boards of round {round} came in from outside.",
    "note.unpaired": "Round {round} is not paired yet: this is what the rules give.",
    "note.stands.white": "{player} has White against {opponent}. By the rules it would be:",
    "note.stands.black": "{player} has Black against {opponent}. By the rules it would be:",
    "note.stands.bye": "{player} has the bye. By the rules it would be:",
    "note.stands.none": "{player} is not paired. By the rules it would be:",
    "note.meet": "{a} and {b} do meet. By the rules they would not:",
    "note.do-not-meet": "{a} and {b} do not meet. By the rules they would.",
    "note.other-boards": {
        "one": "1 board is not that of the rules; explained is the round of the rules.",
        "other": "{boards} boards are not those of the rules; explained is the round of the rules.",
    },
    "note.accelerated": {
        "one": "Scores are those of the pairing, with {virtual} of acceleration (C.04.7) for number "
        "{numbers}.",
        "other": "Scores are those of the pairing, with {virtual} of acceleration (C.04.7) for numbers "
        "{numbers}.",
    },
    "note.no-round": "The rules give no round here: {why}.",
    "round.title": {
        "one": "Round {round} of {rounds}: 1 board",
        "other": "Round {round} of {rounds}: {boards} boards",
    },
    "round.title.bye": {
        "one": "Round {round} of {rounds}: 1 board, the bye for {player}",
        "other": "Round {round} of {rounds}: {boards} boards, the bye for {player}",
    },
    "round.topscorers": {
        "one": "Last round: the only topscorer is {players} (more than half of {most}, {article}).",
        "other": "Last round: topscorers are {players} (more than half of {most}, {article}).",
    },
    "round.topscorers.none": "Last round: nobody is a topscorer (more than half of {most}, {article}).",
    "board": "Board {board}: {white} – {black} ({article})",
    "key.colours": "Colours due: W B absolutely, Ww Bb strongly, w b mildly. Floats of the last two rounds: "
    "↓ down, ↑ up. ↓ before numbers: they float.",
    "key.parts": "S1 meets S2; Limbo: moved-down players who float again; S1R and S2R: the remainder.",
    "key.topscorers": "* behind a number: a topscorer.",
    "key.numbers": "M0 players moved down, M1 of them paired; x and z: pairs in which somebody cannot get "
    "the colour due (x) or strongly due (z).",
    "key.numbers.P0": "P0 pairs at the most, P1 made; M0 players moved down, M1 of them paired; X1 pairs at "
    "the least in which somebody cannot get the colour preference, X accepted; in even rounds Z1 at the "
    "least in which both have the same strong one, Z accepted (A.6, A.8, C.2).",
}

RULES: Final[dict[str, Template]] = {
    "rule.prohibited": "a pairing prohibited in this tournament",
    "rule.C1": "two players shall not meet more than once",
    "rule.C2": "the bye is not for a player who had it, or who scored as much as a win without playing",
    "rule.C.2": "the bye is not for a player who had it, or who won because the opponent did not appear",
    "rule.B.1.b": "the bye is not for a player who received a point or half point without playing",
    "rule.C.13 (2012)": "the lowest bracket must be paired; if it cannot be, the last brackets are joined",
    "rule.P1": "make as many pairs as possible; counted are the players left over",
    "rule.M1": "pair as many of the players who moved down as possible; counted are those left over",
    "rule.B.3": "leave over the lowest scores; in joined brackets, make score differences small",
    "rule.C.12 (2012)": "choose downfloaters of these scores with whom the next bracket has more pairs",
    "rule.B.2 (topscorers)": "topscorers with one absolute colour preference meet only to avoid floaters",
    "rule.A.7.d": "in odd rounds, strong colour preferences are treated like absolute ones",
    "rule.X": "as few pairs as possible in which somebody does not get the colour preference (B.4)",
    "rule.Z": "in even rounds, avoid pairs of two with the same strong colour preference (A.7.e)",
    "rule.C3": "non-topscorers with the same absolute colour preference shall not meet",
    "rule.C4": "all players not yet paired must be able to complete the round",
    "rule.C.4": "choose the downfloaters of this bracket (the PPB) so that the round can be completed",
    "rule.C5": "minimise the score of the player who gets the bye",
    "rule.C6": "minimise the number of downfloaters",
    "rule.C.5": "maximise the number of pairs, which is to minimise the number of downfloaters",
    "rule.C7": "minimise the scores of the downfloaters",
    "rule.C.6": "minimise the score differences of pairs and downfloaters (PSD)",
    "rule.C8": "choose the downfloaters so that the next bracket complies best with C1 to C7",
    "rule.C.7": "choose the downfloaters for most pairs, then least PSD, in the following bracket",
    "rule.C9": "minimise the number of unplayed games of the player who gets the bye",
    "rule.C10": "minimise topscorers, or their opponents, who get a colour difference beyond two",
    "rule.C11": "minimise topscorers, or their opponents, who get the same colour three times in a row",
    "rule.C12": "minimise the number of players who do not get their colour preference",
    "rule.C13": "minimise the number of players who do not get their strong colour preference",
    "rule.C14": "minimise resident downfloaters who had a downfloat in the previous round",
    "rule.C15": "minimise opponents of moved-down players who had an upfloat in the previous round",
    "rule.C16": "minimise resident downfloaters who had a downfloat two rounds before",
    "rule.C17": "minimise opponents of moved-down players who had an upfloat two rounds before",
    "rule.C18": "minimise the score differences of moved-down players who had a downfloat in the previous "
    "round",
    "rule.C19": "minimise the score differences of players who had an upfloat in the previous round and meet "
    "a moved-down player",
    "rule.C20": "minimise the score differences of moved-down players who had a downfloat two rounds before",
    "rule.C21": "minimise the score differences of players who had an upfloat two rounds before and meet a "
    "moved-down player",
    "rule.C.12": "minimise the number of players who get the same downfloat as in the previous round",
    "rule.C.13": "minimise the number of players who get the same upfloat as in the previous round",
    "rule.C.14": "minimise the number of players who get the same downfloat as two rounds before",
    "rule.C.15": "minimise the number of players who get the same upfloat as two rounds before",
    "rule.C.16": "minimise the score differences of players who get the same downfloat as in the previous "
    "round",
    "rule.C.17": "minimise the score differences of players who get the same upfloat as in the previous "
    "round",
    "rule.C.18": "minimise the score differences of players who get the same downfloat as two rounds before",
    "rule.C.19": "minimise the score differences of players who get the same upfloat as two rounds before",
    "colour-rule.1": "both colour preferences are granted",
    "colour-rule.2": "the stronger colour preference is granted",
    "colour-rule.2.wider": "of two absolute colour preferences the one with the wider colour difference is "
    "granted",
    "colour-rule.3": "colours alternate from the latest game in which one had White and the other Black",
    "colour-rule.4": "the higher-ranked player's preference is granted",
    "colour-rule.5": "without preferences, the higher-ranked player gets the initial colour if the number is "
    "odd, else the other",
}

PLACES: Final[dict[str, Template]] = {
    "place.points": "{first} is placed above {second} with {value} against {other}.",
    "place.first": "{first} is placed above {second}: {code} decides with {value} against {other}.",
    "place.tiebreak": "{first} is placed above {second}: level on {level}, {code} decides with {value} "
    "against {other}.",
    "place.DE": "{first} is placed above {second}: level on {level}, the games among those tied decide "
    "({code}).",
    "place.lots": "{first} is placed above {second}: level on {level}, lots decide.",
    "place.hand": "{first} is placed above {second}: level on {level}, the arbiter decided.",
    "place.shared": "{first} and {second} share place {place}: level on {level}.",
    "place.status": "{first} is in place {place}; {second} has no place.",
    "place.none": "Neither {first} nor {second} has a place.",
}
"""Why one player stands above another in the standings."""

PARTS: Final[dict[str, Template]] = {
    "bye": "the bye",
    "number": "number {number}",
    "numbers": {"one": "number {numbers}", "other": "numbers {numbers}"},
    "none": "none",
    "group": "the group of {points}",
    "group.CLB": "the lowest score groups",
    "points": {"one": "{amount} point", "other": "{amount} points"},
    "times": {"one": "once", "other": "{many} times"},
    "list.two": "{one} and {last}",
    "list.more": "{many} more",
    "side.w": "White",
    "side.b": "Black",
    "candidate.of": "{shown}, … ({many} pairs in all)",
    "level": "{code} {value}",
    "level.points": {"one": "{value} point", "other": "{value} points"},
    "value": "{criterion} {value}",
    "value.least": "{criterion} {value} (least {least})",
    "game": "{player} in round {round}",
    "bar": "{pair} ({rule})",
    "bar.round": "{pair} ({rule}, round {round})",
    "bar.prohibited": "{pair} (prohibited)",
    "ahead.brief": "{many} ({scores})",
    "ahead": {
        "one": "{many} downfloater in the next bracket",
        "other": "{many} downfloaters in the next bracket",
    },
    "ahead.list": {
        "one": "{many} downfloater in the next bracket ({scores})",
        "other": "{many} downfloaters in the next bracket ({scores})",
    },
}

ENGLISH: Final = Catalogue("en", SHORT | DETAIL | RULES | PLACES | PARTS, english)
