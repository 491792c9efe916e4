"""``byzanz-lab course``: the lessons, and each as a page to hand out."""

from __future__ import annotations

import argparse
import sys
import textwrap
from pathlib import Path
from typing import Any, Final

BAD_INPUT: Final = 2
WIDTH: Final = 100


def add_commands(commands: Any) -> None:
    """Add ``course``; it sets ``func``, a function of the arguments that returns an exit code."""
    command = commands.add_parser(
        "course",
        help="the lessons, and each as an HTML page",
        description="List the lessons; or run one and write it as a page that shows its figures without a network.",
    )
    command.add_argument("lesson", nargs="?", metavar="LESSON", help="name of a notebook, such as 05_bidding")
    command.add_argument("--html", type=Path, metavar="FILE", help="where the page goes (default LESSON.html)")
    command.set_defaults(func=course)


def course(args: argparse.Namespace) -> int:
    """List the lessons, or write one as a page."""
    from byzanz_lab.teaching.course import lesson_page, lessons

    if args.lesson is None:
        if args.html is not None:
            return _refuse("which lesson? (without any option the lessons are listed)")
        for lesson in lessons():
            print(f"{lesson.name}: {lesson.title}")
            print(textwrap.fill(lesson.aim.replace("*", ""), WIDTH, initial_indent="    ", subsequent_indent="    "))
        print("\nOpen them with: byzanz-lab lab")
        return 0
    target = args.html if args.html is not None else Path(f"{Path(args.lesson).stem}.html")
    if not target.parent.is_dir():  # said before a minute of work, not after it
        return _refuse(f"cannot write {target}: there is no folder {target.parent}")
    if args.lesson in {lesson.name for lesson in lessons()}:
        print(f"running {args.lesson}, which may take a minute …", file=sys.stderr)
    try:
        page = lesson_page(args.lesson)
    except FileNotFoundError as error:
        return _refuse(str(error))
    try:
        target.write_text(page, encoding="utf-8")
    except OSError as error:
        return _refuse(f"cannot write {target}: {error.strerror or error}")
    print(f"written: {target}")
    return 0


def _refuse(sentence: str) -> int:
    print(f"byzanz-lab course: {sentence}", file=sys.stderr)
    return BAD_INPUT
