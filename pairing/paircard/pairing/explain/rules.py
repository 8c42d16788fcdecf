"""What each rule says, in its own words as far as they are short; by edition and name."""

from typing import Final

from paircard.pairing.dutch.editions import EDITIONS as RULES_OF

EDITIONS: Final = {
    "dutch-2026": "FIDE (Dutch) System C.04.3, edition 2026",
    "dutch-2017": "FIDE (Dutch) System C.04.3, edition 2017 (Baku 2016 text)",
}

FIRST_OF_EQUALS: Final = {name: edition.first_of_equals for name, edition in RULES_OF.items()}
"""The article by which, of equal candidates, the one generated first is chosen."""

_2026: Final = {
    "C1": "two players shall not play against each other more than once",
    "C2": "the bye is not for a player who had it, or who scored as much as a win without playing",
    "C3": "non-topscorers with the same absolute colour preference shall not meet",
    "C4": "all players not yet paired must be able to complete the round",
    "C5": "minimise the score of the player who gets the bye",
    "C6": "minimise the number of downfloaters",
    "C7": "minimise the scores of the downfloaters",
    "C8": "choose the downfloaters so that the next bracket complies best with C1 to C7",
    "C9": "minimise the number of unplayed games of the player who gets the bye",
    "C10": "minimise topscorers, or their opponents, who get a colour difference beyond two",
    "C11": "minimise topscorers, or their opponents, who get the same colour three times in a row",
    "C12": "minimise the number of players who do not get their colour preference",
    "C13": "minimise the number of players who do not get their strong colour preference",
    "C14": "minimise resident downfloaters who had a downfloat the previous round",
    "C15": "minimise opponents of moved-down players who had an upfloat the previous round",
    "C16": "minimise resident downfloaters who had a downfloat two rounds before",
    "C17": "minimise opponents of moved-down players who had an upfloat two rounds before",
    "C18": "minimise the score differences of moved-down players who had a downfloat the previous round",
    "C19": "minimise the score differences of players who meet them and had an upfloat the previous round",
    "C20": "minimise the score differences of moved-down players who had a downfloat two rounds before",
    "C21": "minimise the score differences of players who meet them and had an upfloat two rounds before",
}

_ONLY_2017: Final = {
    "C.1": _2026["C1"],
    "C.2": "the bye is not for a player who had it, or who won because the opponent did not appear",
    "C.3": _2026["C3"],
    "C.4": "choose the downfloaters of this bracket (the PPB) so that the round can be completed",
    "C.5": "maximise the number of pairs, which is to minimise the number of downfloaters",
    "C.6": "minimise the pairing score differences (PSD)",
    "C.7": "choose the downfloaters for most pairs, then least PSD, in the following bracket",
    "C.12": "minimise the number of players who get the same downfloat as the previous round",
    "C.13": "minimise the number of players who get the same upfloat as the previous round",
    "C.14": "minimise the number of players who get the same downfloat as two rounds before",
    "C.15": "minimise the number of players who get the same upfloat as two rounds before",
    "C.16": "minimise the score differences of players who get the same downfloat as the previous round",
    "C.17": "minimise the score differences of players who get the same upfloat as the previous round",
    "C.18": "minimise the score differences of players who get the same downfloat as two rounds before",
    "C.19": "minimise the score differences of players who get the same upfloat as two rounds before",
}

RULES: Final = {
    "dutch-2026": _2026,
    "dutch-2017": {old: _2026[new] for new, old in RULES_OF["dutch-2017"].names.items()} | _ONLY_2017,
}

COLOURS: Final = {
    "1": "both colour preferences are granted",
    "2": "the stronger colour preference is granted",
    "3": "colours alternate from the latest game in which one had White and the other Black",
    "4": "the higher-ranked player's preference is granted",
    "5": "without preferences the higher-ranked gets the initial colour, with an even number the other",
}
"""By the last figure of the article (5.2.1 … 5.2.5, E.1 … E.5)."""

STEPS: Final = {
    "mdp-set": "another set of moved-down players is paired",
    "mdp-opponents": "the moved-down players' opponents are a later transposition",
    "exchange": "it takes a later exchange between S1 and S2",
    "transposition": "it is a later transposition of S2",
}
