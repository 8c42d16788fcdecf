"""Where a run of ``paircard`` begins: before anything is imported that makes objects by the thousand."""

import gc

AT_ONCE = 200_000
"""Objects made before Python looks for some to collect: more than most commands ever make."""


def main() -> None:
    """Run the command that was typed."""
    gc.set_threshold(AT_ONCE)
    from paircard.cli.main import main

    main()
