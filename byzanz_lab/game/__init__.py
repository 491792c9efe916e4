"""The rules of Byzanz: cards, rules table, actions, the whole truth and what one seat sees of it, records.

This room is for people: every value is frozen, every rule carries its ruling's name, and only the standard library is
needed. ``State`` is the whole truth; ``observe`` turns it into the ``Position`` that one seat knows.
"""
