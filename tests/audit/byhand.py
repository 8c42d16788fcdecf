"""A hand in the database: what somebody with SQL can do behind the program's back."""

import sqlite3
from contextlib import closing

import psycopg

from paircard.domain.log.location import Address, address_of


def by_hand(location: str, statement: str, *values: object) -> None:
    """What somebody with SQL at hand may do; {} stands before the name of a table."""
    address = address_of(location)
    if isinstance(address, Address):
        with psycopg.connect(address.url, autocommit=True) as db:
            db.execute(statement.replace("{}", f"{address.schema}.").replace("?", "%s"), values)
    else:
        with closing(sqlite3.connect(address, isolation_level=None)) as db:
            db.execute(statement.replace("{}", ""), values)
