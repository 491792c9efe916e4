"""What the tests of all lessons ask of an exercise."""

from __future__ import annotations

from collections.abc import Iterable

from byzanz_lab.exercises import Exercise


def check_exercise(exercise: Exercise, right: object, wrong: Iterable[tuple[object, str]]) -> None:
    """The right answer is accepted; each wrong one gets its hint, which differs from the others and tells no answer."""
    assert exercise.check(None).message.startswith("Not answered yet.")
    verdict = exercise.check(right)
    assert verdict.right, verdict.message
    hints = []
    for answer, words in wrong:
        verdict = exercise.check(answer)
        assert not verdict.right, (answer, verdict.message)
        assert words in verdict.message, (answer, verdict.message)
        assert str(right) not in verdict.message.split(), (answer, verdict.message)
        hints.append(verdict.message)
    assert len(set(hints)) == len(hints)
