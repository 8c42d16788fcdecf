"""Norms in whole events: articles that need everybody at the boards, not one player's opponents alone."""

from collections.abc import Sequence
from pathlib import Path

from paircard.domain.commands import RegisterPlayer
from paircard.domain.values.players import Details
from paircard.domain.values.regulations import Regulations
from paircard.projections.norms import Norms, Verdict
from paircard.service import Office, person

ANNA = person("Anna Arbiter")


def played(path: Path, people: Sequence[Details], result: dict[str, str], **rules: object) -> Norms:
    """An event in which who is named in ``result`` always gets that result, and everybody else draws."""
    event = {
        "name": "Masters",
        "rounds": 0,
        "time_control": "90+30",
        "federation": "ITA",
        "starts": "2026-11-14",
    } | rules
    with Office.create(path / "masters.db") as office:
        t = office.new(Regulations(**event), by=ANNA)  # type: ignore[arg-type]
        t.ask(*(RegisterPlayer(details=one) for one in people), by=ANNA)
        table = event.get("edition") == "round-robin"
        if table:
            t.number(list(range(1, len(people) + 1)), by=ANNA)
            t.schedule(by=ANNA)
        else:
            t.draw_colour("w", by=ANNA)
        for round in range(1, t.now().regulations.rounds + 1):
            if not table:
                t.pair(by=ANNA)
                t.publish(by=ANNA)
            scores = {}
            for one in t.now().boards(round).boards:
                ours = result.get(one.white.name) or {"1": "0", "0": "1"}.get(
                    result.get(one.black.name, ""), "="
                )
                scores[one.board] = {"1": "1-0", "0": "0-1", "=": "½-½"}[ours]
            t.record(round, scores, by=ANNA)
        return t.now().norms()


def of(found: Norms, name: str, title: str) -> Verdict:
    [one] = [one for one in found.players if one.name == name]
    return next(each for each in one.verdicts if each.title == title)


def person_of(name: str, title: str, federation: str, rating: int) -> Details:
    return Details(name=name, title=title, federation=federation, rating=rating)


def test_in_a_double_round_robin_half_the_number_of_different_opponents_is_asked_by_both_readings(
    tmp_path: Path,
) -> None:  # 1.4.5f
    people = [
        person_of("Me", "FM", "ITA", 2500),
        *(person_of(f"GM {flag}", "GM", flag, 2550) for flag in ("GER", "ESP")),
        *(person_of(f"IM {flag}", "IM", flag, 2500) for flag in ("FRA", "USA", "NED")),
    ]
    found = played(tmp_path, people, {"Me": "1"}, edition="round-robin", cycles=2)
    verdict = of(found, "Me", "GM")

    [need] = [one for one in verdict.requirements if one.key == "own-title"]
    assert (need.article, need.state, need.counted, need.required) == ("1.4.5f", "ask", 2, 2)
    assert need.missing
    assert need.missing.message.code == "norms.two-readings"
    assert (verdict.verdict, verdict.count) == ("ask", 10)


def test_in_a_round_robin_an_unrated_opponent_without_a_point_is_left_out(tmp_path: Path) -> None:  # 1.4.2b
    people = [
        person_of("Me", "FM", "ITA", 2500),
        person_of("Novice", "", "ITA", 0),
        *(person_of(f"GM {at}", "GM", flag, 2500) for at, flag in enumerate(("GER", "ESP", "FRA", "USA"))),
        *(
            person_of(f"IM {at}", "IM", flag, 2450)
            for at, flag in enumerate(("GER", "ESP", "FRA", "USA", "NED"))
        ),
    ]
    found = played(tmp_path, people, {"Me": "1", "Novice": "0"}, edition="round-robin")
    verdict = of(found, "Me", "GM")

    left_out = [game.left_out.message.code for game in verdict.games if game.left_out and game.opponent == 2]
    assert left_out == ["norms.left-out.unrated"]
    assert (verdict.count, verdict.verdict) == (9, "norm")


def test_many_guests_in_every_round_of_a_swiss_lift_the_rules_about_federations(
    tmp_path: Path,
) -> None:  # 1.4.3d
    guests = [
        person_of(f"Guest {at}", "GM" if at < 10 else "", flag, 2500 - at)
        for at, flag in enumerate(["GER"] * 18 + ["FRA"] + ["ESP"])
    ]
    me = person_of("Me", "FM", "GER", 2520)
    rules = {"rounds": 9, "tiebreaks": ()}
    enough = played(tmp_path, [me, *guests, person_of("Home", "", "ITA", 2400)], {"Me": "1"}, **rules)
    (tmp_path / "less").mkdir()
    fewer = played(
        tmp_path / "less", [me, *guests[:18], person_of("Home", "", "ITA", 2400)], {"Me": "1"}, **rules
    )

    assert [one.state for one in enough.event if one.key == "guests"] == ["met"]
    lifted = [one for one in of(enough, "Me", "IM").requirements if one.missing]
    assert lifted
    assert {one.missing.message.code for one in lifted if one.missing} == {"norms.lifted"}
    assert of(enough, "Me", "IM").exempt
    assert [one.state for one in fewer.event if one.key == "guests"] == ["short"]
    assert "own-federation" in {one.key for one in of(fewer, "Me", "IM").requirements if one.state == "short"}
