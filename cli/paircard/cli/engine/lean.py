"""Stand-ins for msgspec and typing in a process that pairs one round and ends.

Importing those two takes longer than starting Python and pairing a hundred players together, and the
way from a report to a paired round needs nothing of them but records with named fields. A program that
calls an engine calls it once per round, so ``paircard-engine IN -p`` does without; everything else runs
on the real ones. If the lean way fails, whatever the reason, the engine begins again without it.
"""

import sys


class Struct:
    """A record: fields are the annotated names of the class, defaults its attributes."""

    __struct_fields__: tuple[str, ...] = ()

    def __init_subclass__(cls, **options: object) -> None:
        super().__init_subclass__()
        cls.__struct_fields__ += tuple(cls.__annotations__)
        type.__setattr__(cls, "__match_args__", cls.__struct_fields__)

    def __init__(self, *values: object, **named: object) -> None:
        if values:
            self.__dict__.update(zip(self.__struct_fields__, values, strict=False))
        if named:
            self.__dict__.update(named)

    def _values(self) -> tuple[object, ...]:
        return tuple([getattr(self, name) for name in self.__struct_fields__])

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._values() == other._values()

    def __hash__(self) -> int:
        return hash(self._values())


class Final:
    """An annotation that says nothing when the program runs."""

    def __class_getitem__(cls, _: object) -> type["Final"]:
        return cls


def install() -> bool:
    """Put the stand-ins in place, unless one of the real modules is loaded already."""
    if "msgspec" in sys.modules or "typing" in sys.modules:
        return False
    for name, content in (("msgspec", {"Struct": Struct}), ("typing", {"Final": Final})):
        module = type(sys)(name)  # ``types`` would be one more import
        module.__dict__.update(content)
        sys.modules[name] = module
    return True
