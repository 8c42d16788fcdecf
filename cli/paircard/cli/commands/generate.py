"""``paircard generate``: random tournaments that follow the rules."""

import random
from pathlib import Path
from typing import Any

import click

from paircard.cli.output import steps
from paircard.cli.refusals import BadValue, Misused, spoken
from paircard.domain.errors import Invalid
from paircard.domain.messages import Message
from paircard.domain.values.players import HIGHEST_RATING
from paircard.domain.values.regulations import MOST_CYCLES, Regulations, check_scoring
from paircard.domain.values.results import Scoring
from paircard.domain.values.rules import NEWEST, RULES
from paircard.domain.whole_files import hand_out
from paircard.pairing import pair
from paircard.pairing.lab import simulate as lab
from paircard.pairing.lab.compare import KINDS, settings_for
from paircard.projections.standings.codes import BadTieBreak
from paircard.projections.standings.standings import Ranking, open_games
from paircard.projections.standings.tiebreaks import parse_list, render_list
from paircard.projections.trf import Report, render
from paircard.projections.trf.export import code_of, type_of
from paircard.projections.trf.lines import points_text, tenths
from paircard.projections.trf.writing import for_bbp, report_of

LARGEST_SEED = 2**31 - 1
KEPT = ("edition", "players", "rounds", "cycles", "exchange")
"""Settings that go together with a kind."""
LISTS = ("BH/C1,BH,SB,WIN", "BH/C1,BH,DE,WIN,BWG", "DE,WIN,BH/C1", "PS,BH,TPN")
"""Tie-break lists of which one is drawn if none is given and the rules suggest none."""


def amounts(text: str) -> tuple[lab.Amount, ...]:
    """``12`` (in all), ``2.5%`` (of players or games), ``3:2`` (two in round 3), separated by commas."""
    try:
        return tuple(amount(piece) for piece in text.split(",") if piece.strip())
    except ValueError:
        raise BadValue("cli.not-an-amount", text=text) from None


def scoring(text: str) -> Scoring:
    """``3-1-0``, ``3-1-0-2`` with the PAB, ``3-1-0-2-0`` with the absence too."""
    try:
        win, draw, loss, *more = map(tenths, text.split("-"))
        if len(more) > 2:
            raise ValueError(text)
    except ValueError:
        raise BadValue("cli.not-a-scoring", text=text) from None
    pab = more[0] if more else win
    made = Scoring(win=win, draw=draw, loss=loss, pab=pab, absence=more[1] if len(more) > 1 else 0)
    try:
        check_scoring(made)
    except Invalid as refusal:
        raise click.BadParameter(str(refusal)) from None
    return made


def numbers(text: str) -> tuple[int, ...]:
    """Whole numbers separated by commas."""
    try:
        return tuple(int(piece) for piece in text.split(","))
    except ValueError:
        raise BadValue("cli.not-numbers", text=text) from None


def parse_ratings(text: str) -> tuple[int, ...]:
    """Ratings, none if none are given."""
    ratings = numbers(text) if text else ()
    for rating in ratings:
        if not 1 <= rating <= HIGHEST_RATING:
            raise BadValue("cli.not-a-rating", rating=rating, highest=HIGHEST_RATING)
    if len(ratings) == 1:
        raise BadValue("cli.one-rating")
    return ratings


def amount(text: str) -> lab.Amount:
    """One amount."""
    before, colon, rest = text.strip().partition(":")
    round, size = (whole(before), rest.strip()) if colon else (0, before)
    if colon and not round:
        raise ValueError(text)
    if not size.endswith("%"):
        return lab.Amount(number=whole(size), round=round)
    percent, _, tenth = size[:-1].partition(".")
    share = 10 * whole(percent) + (whole(tenth) if tenth else 0)
    if share > 1000 or len(tenth) > 1:
        raise ValueError(text)
    return lab.Amount(share=share, round=round)


def whole(text: str) -> int:
    """A number of up to six digits."""
    if not (text.isascii() and text.isdecimal() and len(text) <= 6):
        raise ValueError(text)
    return int(text)


@click.command()
@click.argument("target", type=click.Path(path_type=Path))
@click.option("--count", type=click.IntRange(1), default=1, help="How many; then TARGET is a folder.")
@click.option("--seed", type=click.IntRange(0, LARGEST_SEED), help="Same seed and settings, same tournament.")
@click.option("--edition", "--system", "edition", type=click.Choice(tuple(RULES)), default=NEWEST)
@click.option(
    "--cycles", type=click.IntRange(1, MOST_CYCLES), default=1, help="Round robin: how often all meet."
)
@click.option(
    "--exchange/--no-exchange",
    default=True,
    help="Double round robin: exchange the last two rounds of the first cycle.",
)
@click.option("--players", type=click.IntRange(2, 9999))
@click.option("--rounds", type=click.IntRange(1, 99))
@click.option("--ratings", type=parse_ratings, default="", metavar="R,R", help="One per player: 2400,2350,….")
@click.option("--highest", type=click.IntRange(100, 3500), help="Highest rating.")
@click.option("--lowest", type=click.IntRange(100, 3500), help="Lowest rating.")
@click.option("--gap", type=click.IntRange(0, 500), help="Points from one rating to the next.")
@click.option(
    "--draws", type=click.IntRange(0, 100), help="Percentage of draws between equally rated players."
)
@click.option("--full-point-byes", type=amounts, metavar="AMOUNT")
@click.option("--half-point-byes", type=amounts, metavar="AMOUNT")
@click.option("--zero-point-byes", type=amounts, metavar="AMOUNT")
@click.option("--forfeits", type=amounts, metavar="AMOUNT", help="Forfeited games, some lost by both.")
@click.option("--odd-results", type=amounts, metavar="AMOUNT", help="½-0, 0-½ and 0-0.")
@click.option("--late", type=amounts, metavar="AMOUNT", default="", help="Players who enter later.")
@click.option("--withdrawals", type=amounts, metavar="AMOUNT", default="")
@click.option("--returns", type=amounts, metavar="AMOUNT", default="", help="Walk out and come back.")
@click.option("--postponed", type=amounts, metavar="AMOUNT", default="", help="Round robin: still open.")
@click.option(
    "--corrections", type=amounts, metavar="AMOUNT", default="", help="Round robin: results put right."
)
@click.option("--by-lot", type=click.IntRange(0, 99), default=0, help="First rounds not paired by the rules.")
@click.option("--kind", type=click.Choice(KINDS), help="Draw everything as compare does for this kind.")
@click.option("--baku", is_flag=True, help="Baku acceleration (C.04.7).")
@click.option(
    "--prohibited", type=click.IntRange(0, 999), default=0, help="Number of prohibited pairs, drawn by lot."
)
@click.option(
    "--apart", type=numbers, multiple=True, metavar="N,N", help="Players who may not meet; repeatable."
)
@click.option(
    "--scoring", type=scoring, default="1-0.5-0", metavar="W-D-L[-PAB[-ABSENCE]]", help="Such as 3-1-0."
)
@click.option("--initial-colour", type=click.Choice(["white", "black"]))
@click.option("--tiebreaks", help="List such as BH/C1,BH,SB; drawn if not given.")
@click.option(
    "--for",
    "dialect",
    type=click.Choice(["trf26", "bbp"]),
    default="trf26",
    help="bbp: as bbpPairings 6.0.0 reads it.",
)
def generate(
    target: Path,
    count: int,
    seed: int | None,
    tiebreaks: str | None,
    dialect: str,
    kind: str | None,
    **given: Any,
) -> None:
    """Play random tournaments and write their reports.

    Whatever is not given is drawn. AMOUNT is a number in all (12), a share (2.5%) or either by round
    (3:2,5:10%). Results follow the FIDE rating table. Without a seed two runs differ; the seed is
    written into the file.

    Example: paircard generate random.trf --players 60 --rounds 9 --half-point-byes 3% --baku
    """
    rules = RULES[given["edition"]]
    if rules.known_at_once and (kind or dialect == "bbp"):
        raise Misused("cli.table-not-compared")
    if kind and any(value for name, value in given.items() if name not in KEPT and value != Scoring()):
        raise Misused("cli.kind-draws-all")
    size, rounds = ((given[name],) * 2 if given[name] else None for name in ("players", "rounds"))
    settings = settings_of(given)
    chosen = random.SystemRandom().randint(0, LARGEST_SEED) if seed is None else seed
    try:
        breaks = tiebreaks and render_list(parse_list(tiebreaks, predetermined=rules.predetermined))
    except BadTieBreak as refusal:
        raise click.BadParameter(str(refusal), click.get_current_context(), None, "'--tiebreaks'") from None
    if count > 1:
        target.mkdir(parents=True, exist_ok=True)
    stopped = 0
    with steps("playing", count) as step:
        for index in range(count):
            this = (chosen + index) % (LARGEST_SEED + 1)
            try:
                plan = settings_for(kind, this, rules.name, size, rounds) if kind else settings
                played = lab.simulate(plan, this, lab.by_rules(pair))
            except lab.ImpossibleSettings as refusal:
                raise click.UsageError(str(refusal), click.get_current_context()) from None
            stopped += bool(played.stopped)
            report = report_on(played, this, breaks or ",".join(rules.tiebreaks) or LISTS[this % len(LISTS)])
            path = target / f"{this:010}.trf" if count > 1 else target
            hand_out(path, render(for_bbp(report) if dialect == "bbp" else report).encode())
            step(1)
    code = "cli.said.generated-early" if stopped else "cli.said.generated"
    click.echo(spoken(Message(code, {"count": count, "number": chosen, "most": stopped})), err=True)


def settings_of(given: dict[str, Any]) -> lab.Settings:
    """Settings from the options; limits that contradict each other are wrong usage."""
    apart = given.pop("apart")
    colour = given.pop("initial_colour") or ""
    if apart and given["prohibited"]:
        raise Misused("cli.prohibited-or-apart")
    given["prohibited"] = apart or given["prohibited"]
    settings = lab.Settings(**given, initial_colour=colour[:1])
    size = len(settings.ratings) or settings.players
    if settings.ratings and settings.players not in (None, len(settings.ratings)):
        raise Misused("cli.ratings-for-players", count=len(settings.ratings), entered=settings.players or 0)
    if settings.highest and settings.lowest and settings.highest < settings.lowest:
        raise Misused("cli.highest-below-lowest", rating=settings.highest, other_rating=settings.lowest)
    if settings.ratings and {settings.highest, settings.lowest, settings.gap} != {None}:
        raise Misused("cli.ratings-one-by-one")
    last = size or 9999
    if any(not 1 <= number <= last for numbers in apart for number in numbers):
        raise Misused("cli.apart-numbers", last=last)
    if any(len(set(numbers)) < 2 for numbers in apart):
        raise Misused("cli.apart-two")
    points = settings.scoring
    if settings.baku and (points.win != 2 * points.draw or points.loss):
        raise Misused("cli.baku-scoring")
    return settings


def report_on(played: lab.Played, seed: int, tiebreaks: str) -> Report:
    """The report of a played tournament, with its seed, its settings and its final places."""
    table = played.table
    listed = parse_list(tiebreaks, predetermined=table.predetermined)
    places = {}
    if not open_games(table):  # else they would look final (VCL 161)
        places = {line.id: line.rank for line in Ranking(table, table.paired, listed).lines()}
    name = lab.name_of(played, seed)
    setting = played.settings
    own = {"cycles", "exchange"} & RULES[setting.edition].settings
    asked = {name: getattr(setting, name) for name in ("edition", *own)}
    rules = Regulations(name=name, rounds=table.rounds, **asked)
    counts = [("062", str(len(table.rows))), ("072", str(sum(row.rating > 0 for row in table.rows)))]
    texts = [("012", name), *counts, ("092", type_of(rules)), ("182", "Paircard"), ("202", tiebreaks)]
    worth = "-".join(map(points_text, (table.scoring.win, table.scoring.draw, table.scoring.loss)))
    said = f"{len(table.rows)} players, {table.rounds} rounds, draws {setting.draws}%, scoring {worth}"
    remarks = [f"Seed {seed}", f"Settings: {said}"]
    remarks += [
        f"Correction @ Round {round}: {board.white}-{board.black}: {'-'.join(before)} => {'-'.join(now)}"
        for round, board, before, now in played.corrected
    ]
    return report_of(table, texts=texts, system=code_of(rules), remarks=remarks, places=places)
