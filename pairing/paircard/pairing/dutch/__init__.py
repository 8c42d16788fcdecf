"""The FIDE (Dutch) System, C.04.3: editions 2026 (Articles 1–5) and 2017 (Baku 2016 text, sections A–E).

    Article 1  (A)      field.py       order, scoregroups, colour preferences, topscorers
    Article 2  (C)      criteria.py    C1–C21 (2026), C.1–C.19 (2017)
    C4, C5     (C.4)    completion.py  can the rest be paired, and who may have the bye
    Article 3  (A.9, B) brackets.py    bracket by bracket, from the top
    Article 4  (D)      order.py       which of the best candidates is generated first
    Article 5  (E)      colours.py     who has White

Articles are those of the 2026 edition; the letters in brackets are those of 2017.
"""
