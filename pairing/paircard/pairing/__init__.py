"""The pairing kernel: a pure function from a snapshot to the next round."""
