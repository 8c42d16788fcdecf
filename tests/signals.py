"""Signals as a person's terminal has them."""

import signal


def interruptible() -> None:
    """For a child process: Ctrl-C works, also where the tests themselves run in the background.

    A shell lets its background jobs ignore Ctrl-C, and their children inherit that.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
