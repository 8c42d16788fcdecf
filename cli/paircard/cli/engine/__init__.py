"""``paircard-engine``: the command line of other engines, for programs that call one."""
