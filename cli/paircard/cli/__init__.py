"""The command line: commands for people, and an engine command for other programs."""
