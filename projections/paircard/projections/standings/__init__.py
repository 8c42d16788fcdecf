"""Standings: ranking and tie-breaks."""
