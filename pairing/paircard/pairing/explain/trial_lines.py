"""What was tried in a bracket before the chosen candidate, and how that arises, as lines."""

from collections.abc import Collection

from paircard.pairing.explain.lines import Candidate, Line, Numbered, line
from paircard.pairing.explain.reasons import bars_field, cause_lines, forbidden, rule_line, shown, worse
from paircard.pairing.explain.speaking import MANY
from paircard.pairing.explain.trials import Step, Tried
from paircard.pairing.explain.why import Trials
from paircard.pairing.outcome import BracketTrace


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
