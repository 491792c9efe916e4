"""A trial that breaks its promises is told so in one sentence."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from byzanz_lab.evaluation import Sample, Trial, compare
from byzanz_lab.evaluation.trial import Shape
from tests.evaluation.trials import Broken, Lucky, Normal, Spread


def good(block: int, options: Any) -> Sample:
    return Sample(np.random.default_rng(block).normal(size=(len(options), 4, 1)))


@pytest.mark.parametrize("trial", [Normal((0.0,)), Lucky((0.0,)), Spread((0.0,)), Broken(good)])
def test_what_has_the_right_names_is_a_trial(trial: object) -> None:
    assert isinstance(trial, Trial)


def test_a_shape_is_read_from_a_trial_and_survives_json() -> None:
    shape = Shape.of(Spread((0.0, 1.0)))
    assert shape == Shape(2, ("profit",), 64, 32, ("",))
    assert Shape.of(Normal((0.0,))).units == ("coins", "")
    assert Shape.from_dict(shape.to_dict()) == shape


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"n_options": 0}, "a trial needs 1 option or more, not 0"),
        ({"outcomes": ()}, "a trial needs one or more different outcomes"),
        ({"outcomes": ("a", "a")}, "a trial needs one or more different outcomes"),
        ({"units": ("", "", "")}, "as many units"),
        ({"block_size": 0}, "a block holds 1 world or more, not 0"),
        ({"batch_size": 3}, "batches of 3 worlds do not fill a block of 4"),
        ({"batch_size": 0}, "batches of 0 worlds do not fill a block of 4"),
    ],
)
def test_impossible_shapes_are_refused(change: dict[str, Any], sentence: str) -> None:
    trial = Broken(good)
    for name, value in change.items():
        object.__setattr__(trial, name, value)
    with pytest.raises(ValueError, match=sentence):
        compare(trial, 100)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (
            Sample(np.zeros((2, 5, 1))),
            r"gave values of shape \(2, 5, 1\), not \(2, 4, 1\) \[options, worlds, outcomes\]",
        ),
        (Sample(np.zeros((2, 4))), r"gave values of shape \(2, 4\), not \(2, 4, 1\)"),
        (Sample(np.full((2, 4, 1), np.nan)), "gave values that are not finite"),
        (Sample(np.zeros((2, 4, 1)), np.zeros((2, 3, 1))), r"gave controls of shape \(2, 3, 1\)"),
        (Sample(np.zeros((2, 4, 1)), np.zeros((2, 4, 0))), r"gave controls of shape \(2, 4, 0\)"),
        (Sample(np.zeros((2, 4, 1)), np.full((2, 4, 1), np.inf)), "gave controls that are not finite"),
    ],
)
def test_a_wrong_sample_is_named_with_its_block(wrong: Sample, sentence: str) -> None:
    with pytest.raises(ValueError, match="block 2 of the trial " + sentence):
        compare(Broken(lambda block, options: wrong if block == 2 else good(block, options)), 100, workers=2)


def test_whole_numbers_are_welcome() -> None:
    trial = Broken(lambda block, options: Sample(np.full((len(options), 4, 1), block)))  # type: ignore[arg-type]
    assert compare(trial, 12).estimate(0).mean == 1.0


def test_an_error_in_a_trial_reaches_the_caller() -> None:
    def fails(block: int, options: object) -> Sample:
        if block == 5:
            raise RuntimeError("no more cards")
        return good(block, options)

    with pytest.raises(RuntimeError, match="no more cards"):
        compare(Broken(fails), 400)


def test_unknown_names_and_numbers_are_refused() -> None:
    result = compare(Normal((0.0, 1.0)), 64)
    with pytest.raises(ValueError, match="there is no outcome 'loss'; there is 'profit', 'win'"):
        compare(Normal((0.0, 1.0)), 64, leading="loss")
    with pytest.raises(ValueError, match="there is no outcome 'loss'"):
        result.estimate(0, "loss")
    with pytest.raises(ValueError, match="there is no option 2; they are numbered 0 to 1"):
        result.estimate(2)
    with pytest.raises(ValueError, match="there is no option -1"):
        result.difference(0, -1)
    with pytest.raises(ValueError, match="option 1 cannot be compared with itself"):
        result.difference(1, 1)
