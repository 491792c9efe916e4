"""Advice as a sentence, as a table for terminals, as HTML for notebooks and reports, and as a pandas frame."""

from __future__ import annotations

from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING, Any

from byzanz_lab.advice.rows import VERDICT_WORDS, Row
from byzanz_lab.evaluation import Estimate
from byzanz_lab.game.actions import Bid
from byzanz_lab.simulation.playouts import OBJECTIVES

if TYPE_CHECKING:
    import pandas as pd

    from byzanz_lab.advice.advise import Advice

OBJECTIVE_WORDS = {"profit": "profit", "margin": "lead over the best rival", "win": "share of the win"}
"""How objectives are named in prose."""


def number(estimate: Estimate, name: str) -> str:
    """Mean and 95 % half width, in points or per cent."""
    scale, unit = (100, " %") if name in ("win", "lot") else (1, "")
    digits = 1 if scale == 100 else 2
    half = "" if estimate.exact else f" ± {scale * estimate.half_width():.{digits}f}"
    return f"{scale * estimate.mean:z.{digits}f}{half}{unit}"


def signed(estimate: Estimate | None, name: str) -> str:
    """A difference, with its sign; a dash for the best itself."""
    if estimate is None:
        return "—"
    text = number(estimate, name)
    return text if text.startswith("-") else f"+{text}"


def sentence(advice: Advice) -> str:
    """The recommendation: what to do, how much better it is than the next choice, and how sure that is."""
    best, name = advice.best, advice.objective
    others = [row for row in advice.rows if row is not best]
    words = f"{best.label[0].upper()}{best.label[1:]}"
    if not others:
        return f"{words}: there is no other choice."
    runner = max(others, key=lambda row: _mean_to_best(row, name))
    gap = runner.to_best[name]
    assert gap is not None
    ahead = signed(replace(gap, mean=-gap.mean), name)
    level = [row.label for row in advice.level if row is not best]
    text = f"{words}: {ahead} {OBJECTIVE_WORDS[name]} over {runner.label}"
    if isinstance(best.action, Bid) and best.lot is not None:
        text += f"; you win the lot at this bid {100 * best.lot.mean:.0f} % of the time"
    if level:
        more = f" and {len(level) - 3} more" if len(level) > 3 else ""
        text += f". Level with it, so far: {', '.join(level[:3])}{more}"
    return text + "."


def _mean_to_best(row: Row, name: str) -> float:
    gap = row.to_best[name]
    return 0.0 if gap is None else gap.mean


def _cells(advice: Advice) -> tuple[list[str], list[list[str]]]:
    name, auction = advice.objective, any(row.lot is not None for row in advice.rows)
    head = ["action", f"{name} ± 95 %", "to the best", *(["wins lot"] if auction else [])]
    head += [other for other in OBJECTIVES if other != name] + ["worlds", "verdict"]
    body = []
    for row in advice.rows:
        cells = [row.label, number(row.estimates[name], name), signed(row.to_best[name], name)]
        if auction:
            cells.append(f"{100 * row.lot.mean:.0f} %" if row.lot is not None else "")
        cells += [number(row.estimates[other], other) for other in OBJECTIVES if other != name]
        cells += [f"{row.estimates[name].n:,}", VERDICT_WORDS[row.verdicts[name]]]
        body.append(cells)
    return head, body


def _title(advice: Advice) -> str:
    position = advice.position
    return f"Seat {position.seat} of {position.rules.seats}, round {position.round}, {_phase_words(advice)}"


def _phase_words(advice: Advice) -> str:
    position = advice.position
    words = {
        "auction": f"bidding for {position.lot} (offer card {position.offer})",
        "tax": f"tax card of {position.lot}",
        "last_lot": f"last lot {position.lot}",
        "hand_limit": f"hand over {position.rules.hand_limit} cards",
        "market": f"picking from {position.market}",
        "closing": "closing sale",
    }
    return words[str(position.phase)]


def _footer(advice: Advice) -> str:
    done = advice.comparison
    belief = f" {advice.weighting.sentence}" if advice.weighting else ""
    if advice.is_exact:
        return f"Exact: all {done.worlds:,} worlds that fit were played, {done.playouts:,} playouts.{belief}"
    left_out = advice.legal - len(advice.options)
    note = f" {left_out} other legal actions were not compared." if left_out else ""
    speed = f", {done.playouts_per_second:,.0f} a second" if done.seconds > 0 else ""
    return f"{done.worlds:,} worlds, {done.playouts:,} playouts{speed}; stopped: {done.stopped}.{note}{belief}"


def text_table(advice: Advice) -> str:
    """For terminals."""
    head, body = _cells(advice)
    widths = [max(len(row[i]) for row in [head, *body]) for i in range(len(head))]
    best = advice.rows.index(advice.best)
    lines = [_title(advice), f"hand {advice.position.hand}", ""]
    for n, row in enumerate([head, *body]):
        cells = (
            cell.ljust(w) if i in (0, len(head) - 1) else cell.rjust(w)
            for i, (cell, w) in enumerate(zip(row, widths, strict=True))
        )
        lines.append(("> " if n == best + 1 else "  ") + "  ".join(cells).rstrip())
    return "\n".join([*lines, "", sentence(advice), _footer(advice)])


def html_table(advice: Advice) -> str:
    """For notebooks and reports; colours come from the page, the best row is bold."""
    head, body = _cells(advice)
    best = advice.rows.index(advice.best)
    cells = "".join(
        f'<th scope="col" style="text-align:{_side(i)};padding:2px 8px">{escape(c)}</th>' for i, c in enumerate(head)
    )
    rows = []
    for n, row in enumerate(body):
        tds = "".join(f'<td style="text-align:{_side(i)};padding:2px 8px">{escape(c)}</td>' for i, c in enumerate(row))
        rows.append(f'<tr style="font-weight:{"700" if n == best else "400"}">{tds}</tr>')
    return (
        f"<div><p><strong>{escape(sentence(advice))}</strong></p>"
        f'<div style="overflow-x:auto"><table><caption style="text-align:left">{escape(_title(advice))}</caption>'
        f"<thead><tr>{cells}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
        f"<p>{escape(_footer(advice))}</p></div>"
    )


def _side(column: int) -> str:
    return "left" if column == 0 else "right"


def frame(advice: Advice) -> pd.DataFrame:
    """A pandas frame to go on with: numbers, not texts; differences to the best are 0 for the best itself."""
    import pandas as pd

    records: list[dict[str, Any]] = []
    for row in advice.rows:
        record: dict[str, Any] = {"action": str(row.action), "label": row.label, "total": row.total}
        for name in OBJECTIVES:
            estimate, gap = row.estimates[name], row.to_best[name]
            record |= {name: estimate.mean, f"{name}_se": estimate.se, f"{name}_n": estimate.n}
            record |= {f"{name}_to_best": gap.mean if gap else 0.0, f"{name}_to_best_se": gap.se if gap else 0.0}
            record[f"{name}_verdict"] = row.verdicts[name]
        record |= {"lot": row.lot.mean if row.lot else None, "lot_se": row.lot.se if row.lot else None}
        records.append(record)
    result = pd.DataFrame.from_records(records)
    result["total"] = result["total"].astype("Int64")
    result.attrs = {
        "seat": advice.position.seat,
        "objective": advice.objective,
        "units": {"profit": "points", "margin": "points", "win": "share", "lot": "share"},
    }
    return result
