"""Templates: compiled once, however many threads want them."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from jinja2 import Template

from paircard.service.print.rendering import environment


def test_a_template_that_many_threads_want_is_compiled_once() -> None:
    environment.cache_clear()
    templates, together = environment(), Barrier(8)

    def wanted(_: int) -> Template:
        together.wait()
        return templates.get_template("standings.html")

    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(wanted, range(8)))
    assert all(one is found[0] for one in found)
