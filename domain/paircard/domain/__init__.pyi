from paircard.domain.commands import *  # noqa: F403
from paircard.domain.deciding.decision import WarningCode as WarningCode
from paircard.domain.errors import *  # noqa: F403
from paircard.domain.events import *  # noqa: F403
from paircard.domain.messages import Fields as Fields
from paircard.domain.messages import Message as Message
from paircard.domain.messages import Sides as Sides
from paircard.domain.speaking import Speaker as Speaker
from paircard.domain.values.players import Changes as Changes
from paircard.domain.values.players import Details as Details
from paircard.domain.values.prizes import Category as Category
from paircard.domain.values.prizes import Condition as Condition
from paircard.domain.values.prizes import Prize as Prize
from paircard.domain.values.prizes import PrizeRules as PrizeRules
from paircard.domain.values.regulations import RegulationChanges as RegulationChanges
from paircard.domain.values.regulations import Regulations as Regulations
from paircard.domain.values.results import Outcome as Outcome
from paircard.domain.values.results import ResultText as ResultText
from paircard.domain.values.results import Scoring as Scoring
from paircard.domain.values.results import parse_outcome as parse_outcome
