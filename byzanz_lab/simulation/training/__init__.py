"""Training of the learned policy: games against itself, regression on what came of them, and again.

A *generation* plays some hundred games with itself. At certain moments each seat's hand is noted, how it stands in
the round (still waiting, or holding the offer card just won), and how many points the seat made from there to the end.
Least squares then says what each feature of a hand is worth with so many rounds to come, and what each standing is
worth, hands being equal. What a seat gains by letting a lot go follows: waiting for the next lot, less having won this
one. The next generation plays by these numbers. That is fitted policy iteration (Bertsekas and Tsitsiklis,
"Neuro-Dynamic Programming", 1996) with a linear value; part of the old numbers is kept each time, which damps swings.
After some generations nothing moves but noise, and the policy is a good answer to itself.

``python -m byzanz_lab.simulation.training`` makes the file that ships with the package again, number for number.
"""

from __future__ import annotations

from byzanz_lab.simulation.training.generations import Generation, train

__all__ = ["Generation", "train"]
