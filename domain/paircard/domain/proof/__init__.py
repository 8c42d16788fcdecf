"""Proof that a log is what it was: checkpoints, bundles, copies and the doctor."""
