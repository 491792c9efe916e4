"""What is installed: a wheel works as well as the checkout, and an editable install reads all from the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest

import byzanz_lab
from tests.project.places import PACKAGE, ROOT


def python(code: str, cwd: Path, **environment: str) -> str:
    """Run some code in a fresh interpreter, and give what it prints."""
    command = [sys.executable, "-c", code]
    env = {**os.environ, **environment}
    result = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def build(kind: str, project: Path, into: Path) -> Path:
    """Build a wheel, an editable wheel or an sdist with the project's own backend, without the network."""
    into.mkdir()
    python(f"from hatchling.build import build_{kind}; build_{kind}({str(into)!r})", project)
    (built,) = into.iterdir()
    return built


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from the checkout."""
    return build("wheel", ROOT, tmp_path_factory.mktemp("wheel") / "dist")


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which pip has installed the wheel, and nothing else."""
    folder = tmp_path_factory.mktemp("installed")
    pip = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--no-index",
        "--target",
        str(folder),
        str(wheel),
    ]
    subprocess.run(pip, check=True, capture_output=True, cwd=folder)
    return folder


def names_in(wheel: Path) -> set[str]:
    """The files of a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if not name.endswith("/")}


def expected_in_a_wheel() -> set[str]:
    """The files of the checkout under the names that they have in a wheel."""
    kinds = {".py", ".json", ".txt", ".css", ".js", ".typed"}
    code = {
        path.relative_to(ROOT).as_posix()
        for path in PACKAGE.rglob("*")
        if path.suffix in kinds or path.name == "py.typed"
    }
    return code | {f"byzanz_lab/_notebooks/{path.name}" for path in (ROOT / "notebooks").glob("*.ipynb")}


def test_a_wheel_carries_code_types_sample_data_and_notebooks(wheel: Path) -> None:
    names = names_in(wheel)
    assert expected_in_a_wheel() <= names
    assert {"byzanz_lab/py.typed", "byzanz_lab/__init__.py"} <= names
    assert [name for name in names if name.startswith(("tests/", "notebooks/"))] == []
    assert [name for name in names if ".ipynb_checkpoints" in name or name.endswith((".pyc", ".nbi", ".nbc"))] == []


def test_a_wheel_has_the_one_version_and_the_command(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        info = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        assert message_from_bytes(archive.read(info))["Version"] == byzanz_lab.__version__
        commands = archive.read(info.replace("METADATA", "entry_points.txt")).decode()
    assert "byzanz-lab = byzanz_lab.cli:main" in commands


def test_a_wheel_can_be_built_from_the_source_distribution(wheel: Path, tmp_path: Path) -> None:
    with tarfile.open(build("sdist", ROOT, tmp_path / "sdist")) as archive:
        archive.extractall(tmp_path / "unpacked", filter="data")
    (project,) = (tmp_path / "unpacked").iterdir()
    assert names_in(build("wheel", project, tmp_path / "wheel")) == names_in(wheel)
    assert (project / "tests" / "conftest.py").is_file()


def test_an_installed_wheel_has_the_same_notebooks_and_samples_as_the_checkout(installed: Path) -> None:
    code = "from byzanz_lab import resources as r; print(r.__file__, *(p.name for p in r.notebooks() + r.samples()))"
    file, *names = python(code, installed, PYTHONPATH=str(installed)).split()
    assert Path(file) == (installed / "byzanz_lab" / "resources.py").resolve()
    _, *here = python(code, ROOT, PYTHONPATH=str(ROOT)).split()
    assert names == here
    assert names


def test_an_installed_wheel_plays_by_the_rules(installed: Path) -> None:
    code = "import byzanz_lab as b; print(b.__file__); print(b.Cards('Wi4 2xSp1 D').total)"
    file, total = python(code, installed, PYTHONPATH=str(installed)).split()
    assert Path(file).is_relative_to(installed.resolve())
    assert total == "6"


def test_an_editable_install_copies_nothing(tmp_path: Path) -> None:
    editable = build("editable", ROOT, tmp_path / "dist")
    with zipfile.ZipFile(editable) as archive:
        files = [name for name in archive.namelist() if ".dist-info/" not in name]
        assert files == ["_byzanz_lab.pth"]
        assert Path(archive.read(files[0]).decode().strip()) == ROOT
