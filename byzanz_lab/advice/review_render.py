"""A review as a sentence, as text for terminals, as HTML, and as pandas frames."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, Final

from byzanz_lab.advice.render import OBJECTIVE_WORDS, number, signed
from byzanz_lab.advice.review_decisions import WORDS
from byzanz_lab.evaluation import Estimate

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from byzanz_lab.advice.review import Review
    from byzanz_lab.advice.review_values import Change

SHOWN: Final = 10
"""Costliest decisions listed in a text."""

ACCOUNT_HEAD: Final = ("seat", "before the deal", "luck", "own play", "rivals' play", "result", "given away", *WORDS)
DECISION_HEAD: Final = ("action", "round", "seat", "did", "best", "loss", "")


def who(review: Review, seat: int) -> str:
    """A seat with its name, if it has one."""
    name = review.record.names[seat] if review.record.names else ""
    return f"{seat} {name}".strip()


def sentence(review: Review) -> str:
    """Who played best, who was luckiest, and the costliest decision."""
    accounts = review.accounts
    best = min(accounts, key=lambda account: account.loss.mean)
    lucky = max(accounts, key=lambda account: account.luck.mean)
    if len(accounts) > 1:
        text = (
            f"Seat {who(review, best.seat)} gave away least ({_plain(review, best.loss)}), "
            f"seat {who(review, lucky.seat)} had most luck ({signed(lucky.luck, review.objective)})"
        )
    else:
        text = (
            f"Seat {who(review, best.seat)} gave away {_plain(review, best.loss)}, "
            f"and had {signed(best.luck, review.objective)} of luck"
        )
    if review.worst:
        worst = review.worst[0]
        text += f"; the costliest decision was action {worst.number} of seat {who(review, worst.seat)}: {worst.label}"
        text += f" instead of {worst.best_label}, {_plain(review, worst.loss)}"
    return f"{text}."


def account_rows(review: Review) -> list[list[str]]:
    """Cells of the accounts, below `ACCOUNT_HEAD`."""
    name = review.objective
    return [
        [
            who(review, account.seat),
            number(account.before, name),
            *(signed(part, name) for part in (account.luck, account.own, account.others)),
            _result(review, account.result),
            number(account.loss, name),
            *(str(account.words[word]) for word in WORDS),
        ]
        for account in review.accounts
    ]


def decision_rows(review: Review, only_worst: bool = False) -> list[list[str]]:
    """Cells of the decisions, below `DECISION_HEAD`: all, or the costliest."""
    chosen = review.worst[:SHOWN] if only_worst else review.decisions
    return [
        [
            str(judged.number),
            str(judged.position.round),
            who(review, judged.seat),
            judged.label,
            judged.best_label if judged.best != judged.action else "the same",
            number(judged.loss, review.objective),
            judged.word,
        ]
        for judged in chosen
    ]


def draw_label(draw: Change) -> str:
    """What was drawn, in words."""
    if draw.number < 0:
        return f"the deal, and the lot {draw.cards}"
    return f"the lot {draw.cards}" if draw.cards else "the last card of the round"


def about(review: Review) -> str:
    """What the numbers mean and rest on."""
    view = "with open cards" if review.view is None else f"as seat {review.view} could know"
    end = "" if review.is_finished else " The game is not finished: its result is what can be expected now."
    players = ", ".join(dict.fromkeys(policy.name for policy in review.policies))
    return (
        f"{OBJECTIVE_WORDS[review.objective].capitalize()}; luck is measured {view}, losses by what a seat could know; "
        f"{review.worlds:,} worlds a moment, seed {review.seed}, played on by: {players}.{end}"
    )


def text(review: Review) -> str:
    """For terminals."""
    parts = [sentence(review), "", _table([list(ACCOUNT_HEAD), *account_rows(review)])]
    if review.worst:
        parts += ["", _table([list(DECISION_HEAD), *decision_rows(review, only_worst=True)])]
    return "\n".join([*parts, "", about(review)])


def html(review: Review) -> str:
    """For notebooks and reports; names and everything else that was read are escaped."""
    return (
        f"<div><p><strong>{escape(sentence(review))}</strong></p>"
        f"{html_table('Where each result came from', ACCOUNT_HEAD, account_rows(review))}"
        f"{html_table('Decisions', DECISION_HEAD, decision_rows(review))}"
        f"<p>{escape(about(review))}</p></div>"
    )


def html_table(caption: str, head: Sequence[str], rows: list[list[str]]) -> str:
    """A table of plain texts."""
    heads = "".join(f"<th scope='col'>{escape(cell)}</th>" for cell in head)
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return (
        f"<div style='overflow-x:auto'><table><caption>{escape(caption)}</caption>"
        f"<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def frame(review: Review, what: str) -> pd.DataFrame:
    """See `Review.to_frame`."""
    import pandas as pd

    if what == "decisions":
        rows: list[dict[str, Any]] = [
            judged.to_dict() | {"loss": judged.loss.mean, "loss_se": judged.loss.se, "worlds": judged.loss.n}
            for judged in review.decisions
        ]
    elif what == "accounts":
        rows = [_flat_account(review, account.seat) for account in review.accounts]
    elif what == "draws":
        rows = []
        for draw in review.draws:
            row: dict[str, Any] = {"number": draw.number, "cards": str(draw.cards)}
            for seat in review.seats:
                luck = review.luck_of(draw, seat)
                row |= {f"luck_{seat}": luck.mean, f"luck_{seat}_se": luck.se}
            rows.append(row)
    else:
        raise ValueError(f"unknown table {what!r} (tables are decisions, accounts, draws)")
    return pd.DataFrame(rows)


def _flat_account(review: Review, seat: int) -> dict[str, Any]:
    account = review.account(seat)
    row: dict[str, Any] = {"seat": seat, "name": account.name}
    for part in ("before", "luck", "own", "others", "result", "loss"):
        estimate: Estimate = getattr(account, part)
        row |= {part: estimate.mean, f"{part}_se": estimate.se}
    return row | account.words


def _plain(review: Review, estimate: Estimate) -> str:
    text = number(estimate, review.objective)
    return text if review.objective == "win" else f"{text} points"


def _result(review: Review, result: Estimate) -> str:
    if review.is_finished:
        return f"{100 * result.mean:.0f} %" if review.objective == "win" else f"{result.mean:z.0f}"
    return number(result, review.objective)


def _table(rows: list[list[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in rows)
