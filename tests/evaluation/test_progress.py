"""Reports come now and then, tell how long it will take, and leave nothing behind."""

from __future__ import annotations

import io
import subprocess
import sys
import threading
from itertools import pairwise
from typing import Any

import pytest

from byzanz_lab.evaluation import Budget, Progress, compare
from byzanz_lab.evaluation.progress import Reporter, bar_class, seconds_left
from tests.evaluation.trials import Inline, Normal, Slow

STATE = Progress(100, 200, 0.25, 1.0, 3.0, 0.25)


class Clock:
    """Time that passes only when told."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_ten_reports_a_second_at_most_and_one_at_the_end() -> None:
    clock, seen = Clock(), []
    reporter = Reporter(lambda state: seen.append(clock.now), clock)
    for _ in range(1000):
        reporter.report(lambda: STATE)
        clock.now += 0.003
    assert 28 <= len(seen) <= 30
    assert all(b - a >= 0.1 - 1e-9 for a, b in pairwise(seen))
    reporter.report(lambda: STATE, last=True)
    assert seen[-1] == clock.now


def test_nothing_is_worked_out_that_nobody_asked_for() -> None:
    Reporter(None).report(lambda: pytest.fail("worked out for nobody"), last=True)


@pytest.mark.parametrize(
    ("budget", "wanted"),
    [
        (Budget(worlds=1000), 18.0),
        (Budget(seconds=5.0), 3.0),
        (Budget(worlds=1000, seconds=5.0), 3.0),
        (Budget(target_se=0.1), 2 * 3 * 2.0),  # from 0.2 to 0.1: three times the 200 worlds so far, 0.02 s each
        (Budget(seconds=1.0), 0.0),
    ],
)
def test_the_seconds_left_are_those_to_the_first_limit(budget: Budget, wanted: float) -> None:
    assert seconds_left(budget, 100, 200, 0.2, 2.0) == pytest.approx(wanted)


def test_there_is_no_telling_before_the_first_world() -> None:
    assert seconds_left(Budget(worlds=100), 0, 0, None, 0.5) is None
    assert seconds_left(Budget(target_se=0.1), 100, 100, None, 0.5) is None


def test_a_run_reports_its_state() -> None:
    seen: list[Progress] = []
    result = compare(Normal((0.0, 0.05)), 640, progress=seen.append, racing=False, executor=Inline())
    assert seen[-1].worlds == result.worlds == 640
    assert seen[-1].playouts == result.playouts == 1280
    assert seen[-1].leading_se == pytest.approx(result.difference(1, 0).se)
    assert (seen[-1].seconds_left, seen[-1].fraction) == (0.0, 1.0)
    assert all(0 <= state.fraction <= 1 for state in seen if state.fraction is not None)
    assert [state.worlds for state in seen] == sorted(state.worlds for state in seen)


def test_the_error_reported_for_a_single_option_is_that_of_its_mean() -> None:
    seen: list[Progress] = []
    result = compare(Normal((0.0,)), 640, progress=seen.append)
    assert seen[-1].leading_se == pytest.approx(result.estimate(0).se)


def test_an_error_in_a_callback_reaches_the_caller() -> None:
    def callback(state: Progress) -> None:
        raise RuntimeError("the panel is gone")

    before = threading.active_count()
    with pytest.raises(RuntimeError, match="the panel is gone"):
        compare(Normal((0.0, 0.0)), 10_000, progress=callback)
    assert threading.active_count() == before


def test_progress_that_cannot_be_called_is_refused() -> None:
    with pytest.raises(TypeError, match="progress is a function, True or None, not 'bar'"):
        compare(Normal((0.0,)), 64, progress="bar")  # type: ignore[arg-type]


def test_a_bar_in_a_terminal_shows_the_figures_and_leaves_no_thread(capsys: pytest.CaptureFixture[str]) -> None:
    before = set(threading.enumerate())
    compare(Slow(0.002), 200, progress=True, racing=False)
    shown = capsys.readouterr().err
    assert "200 worlds, 400 playouts" in shown
    assert "100%" in shown
    assert set(threading.enumerate()) == before


def test_a_bar_is_closed_when_a_run_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[bool] = []
    monkeypatch.setattr("byzanz_lab.evaluation.progress.Bar.close", lambda self: closed.append(True))
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    trial = Normal((0.0, 0.0), block_size=0)
    with pytest.raises(ValueError, match="a block holds 1 world"):
        compare(trial, 10, progress=True)
    assert closed == []  # no bar was opened for a run that never began
    object.__setattr__(trial, "block_size", 8)
    object.__setattr__(trial, "means", (0.0, float("nan")))
    with pytest.raises(ValueError, match="not finite"):
        compare(trial, 10, progress=True)
    assert closed == [True]


def test_a_terminal_gets_the_plain_bar() -> None:
    import tqdm.std

    assert issubclass(bar_class(), tqdm.std.tqdm)


def test_a_kernel_gets_the_notebook_bar_where_widgets_are_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ipywidgets", reason="the notebook bar is only chosen where ipywidgets is installed")
    import types

    import tqdm.notebook
    import tqdm.std

    shell = types.SimpleNamespace(kernel=object())
    fake: Any = types.SimpleNamespace(get_ipython=lambda: shell)
    monkeypatch.setitem(sys.modules, "IPython", fake)
    assert issubclass(bar_class(), tqdm.notebook.tqdm)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert not issubclass(bar_class(), tqdm.notebook.tqdm)
    assert issubclass(bar_class(), tqdm.std.tqdm)


def test_importing_the_statistics_loads_no_display_library() -> None:
    code = (
        "import sys, byzanz_lab.evaluation; "
        "print(sorted({'IPython', 'ipywidgets', 'tqdm', 'numba', 'dask', 'distributed', 'loky'} & set(sys.modules)))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown.strip() == "[]"
