"""The files that travel with the package are found, and a wrong name is answered with the right ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from byzanz_lab import resources
from tests.project.places import PACKAGE, ROOT


def test_in_a_checkout_the_notebooks_are_those_beside_the_package() -> None:
    assert resources.notebooks() == tuple(sorted((ROOT / "notebooks").glob("*.ipynb")))
    assert resources.notebooks()


def test_the_samples_are_readable_json() -> None:
    assert resources.samples() == tuple(sorted((PACKAGE / "data").glob("*.json")))
    assert resources.samples()
    for path in resources.samples():
        assert isinstance(json.loads(path.read_text("utf-8")), dict)


def test_a_file_is_found_with_and_without_its_ending(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "01_first.ipynb").touch()
    (tmp_path / "last_round.json").touch()
    monkeypatch.setattr(resources, "_NOTEBOOKS", (tmp_path / "absent", tmp_path))
    monkeypatch.setattr(resources, "_DATA", tmp_path)
    assert resources.notebook("01_first") == resources.notebook("01_first.ipynb") == tmp_path / "01_first.ipynb"
    assert resources.sample("last_round") == resources.sample("last_round.json") == tmp_path / "last_round.json"


def test_an_unknown_name_is_answered_with_those_that_there_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("b.json", "a.json"):
        (tmp_path / name).touch()
    monkeypatch.setattr(resources, "_DATA", tmp_path)
    monkeypatch.setattr(resources, "_NOTEBOOKS", ())
    with pytest.raises(FileNotFoundError, match=r"no sample named '\.\./a' ships with byzanz_lab; there are: a, b"):
        resources.sample("../a")
    with pytest.raises(FileNotFoundError, match=r"no notebook named 'a' ships with byzanz_lab; there are: none"):
        resources.notebook("a")
