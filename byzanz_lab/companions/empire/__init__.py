"""Byzantine Empire, Lloyd Krassner's duel for two, playable and analysed.

Two players take turns as the Emperor and as the Foes of the Byzantine Empire. The words are those of Byzanz: a `State`
is the whole truth, a `Position` what one seat knows of it, and only a Position may be given to a policy or an adviser.
The cards are data: `default_deck` ships with the package, `read_deck` reads another.
"""
