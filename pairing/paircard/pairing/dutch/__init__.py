"""The FIDE (Dutch) System, C.04.3, editions 2026 (Articles 1–5) and 2017 (Baku 2016 text, sections A–E).

    what differs        editions.py   an edition as data
    Article 1  (A)      field.py      order, scoregroups, floats, topscorers, who may meet (C1, C3)
    1.6, 1.7   (A.6)                  colour preferences, and what colours cost a pair: C3, C10–C13
    C2                                who may have the bye
    C4, C5     (C.4)    graphs.py     can the rest be paired, and at which score is the bye given
    C6–C21     (C)      criteria.py   one function for each criterion
    Article 4  (D)                    which of the best candidates is generated first
    Article 3  (A.9, B) brackets.py   bracket by bracket, from the top
    2012 C.13           joining.py    the last brackets joined
    how it is found     listed.py     small brackets: candidates one by one
                        problem.py    a bracket as a matching problem
    Article 5  (E)      pairing.py    who has White, the order of the boards (C.04.2:3.6)
    1.9.3      (A.9)                  why no round exists
    what was done                     every bracket with the values of its criteria

``pairing.pair`` puts these together. Articles are those of the 2026 edition; the letters in brackets are
those of 2017.
"""
