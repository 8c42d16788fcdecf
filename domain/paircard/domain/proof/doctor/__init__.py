"""The doctor: what is wrong with a store, and what to do about it."""
