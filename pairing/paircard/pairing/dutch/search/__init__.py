"""How the first of the best candidates of a bracket is found. The rules themselves are in ``dutch/``.

settle.py       the routes, from the quickest to the one that is always exact, and which may be taken
bracket.py      a bracket as a graph of legal pairs
ideal.py        a candidate that nothing could be better than, searched in the order of Article 4
listed.py       brackets with few legal pairs: their candidates one by one
model.py        a bracket as a matching problem between kinds: players alike for every criterion
tight.py        the first candidate among edges that are all equally good
weights.py      the same by weights, where blossoms bind; exchanges as weights
"""
