"""The public names of ``paircard.pairing``."""

from paircard.pairing.dutch.editions import ENGINE as ENGINE
from paircard.pairing.engines import Engine as Engine
from paircard.pairing.engines import engine_of as engine_of
from paircard.pairing.engines import pair as pair
from paircard.pairing.outcome import Board as Board
from paircard.pairing.outcome import BracketTrace as BracketTrace
from paircard.pairing.outcome import NoLegalRound as NoLegalRound
from paircard.pairing.outcome import Pairing as Pairing
from paircard.pairing.outcome import PairingError as PairingError
from paircard.pairing.reports import NextRound as NextRound
from paircard.pairing.reports import next_round as next_round
