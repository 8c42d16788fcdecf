"""One Merkle tree over all facts of a store, in the formats of C2SP that other programs read too.

A leaf names a tournament, a version and the hash of that fact: nothing personal. Whoever holds one signed
checkpoint of the tree can tell whether any fact was changed, cut off or removed since.
"""
