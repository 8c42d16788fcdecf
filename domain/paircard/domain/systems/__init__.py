"""Pairing systems, a room for each: what a family of rules decides otherwise than a Swiss."""
