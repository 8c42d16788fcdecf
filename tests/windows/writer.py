"""On the Windows machine: registers one player after another and says each when it is recorded."""

import sys

from paircard.domain import Details, RegisterPlayer
from paircard.service import Office, person


def main() -> None:
    """Until somebody ends it."""
    file, begins = sys.argv[1:]
    with Office.open(file) as office:
        club = office.tournament("")
        for number in range(100_000):
            name = f"{begins}-{number}"
            club.ask(RegisterPlayer(details=Details(name=name)), by=person("Anna"))
            sys.stdout.write(f"{name}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
