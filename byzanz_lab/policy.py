"""What a policy is, in every game: a rule of play that is given what a seat knows, and names what it does.

Each game has a ``Policy`` of its own, which is `PolicyOf` its Position and its Action.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypeVar, runtime_checkable

P_contra = TypeVar("P_contra", contravariant=True)
A_co = TypeVar("A_co", covariant=True)


@dataclass(frozen=True)
class Traits:
    """What kind of policy it is.

    Attributes
    ----------
    stochastic
        Whether it may answer the same Position differently under another seed.
    counts_cards
        Whether it uses which cards are gone, or still to come.
    reads_rivals
        Whether it uses what is known of rivals' hands.
    plays_out
        Whether it plays worlds to their end before it decides.

    Examples
    --------
    >>> from byzanz_lab import default_policy
    >>> default_policy().traits.stochastic, Traits(counts_cards=True).counts_cards
    (False, True)
    """

    stochastic: bool = False
    counts_cards: bool = False
    reads_rivals: bool = False
    plays_out: bool = False


@runtime_checkable
class PolicyOf(Protocol[P_contra, A_co]):
    """A rule of play. It is given a Position and never a State."""

    @property
    def name(self) -> str:
        """Short name, for tables and files."""
        ...

    @property
    def traits(self) -> Traits:
        """What kind of policy it is."""
        ...

    @property
    def source(self) -> str:
        """Where the idea comes from."""
        ...

    def choose(self, position: P_contra, seed: int = 0) -> A_co:
        """The action of the seat whose Position it is, which must be on the move."""
        ...
