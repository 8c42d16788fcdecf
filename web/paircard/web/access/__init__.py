"""Who may come in: grants, and the links, keys, sessions and passwords that prove one."""
