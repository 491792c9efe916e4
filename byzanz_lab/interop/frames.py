"""Our answers as tables, and tables as files, for people who go on in pandas, R or a spreadsheet.

``frame_of`` turns records, advice, values, beliefs, reviews and tournaments into pandas frames: one fact a row, plain
numbers and texts only. Estimates stand beside their standard errors and numbers of worlds; whose point of view it is
and in which units is said in ``frame.attrs``. ``write_frame`` writes CSV, which everything reads, or Parquet, which
keeps the types and the ``attrs`` and needs pyarrow.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Hashable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from byzanz_lab.game.actions import Bid, action_to_dict
from byzanz_lab.game.record import Record
from byzanz_lab.game.state import Result, State
from byzanz_lab.safe_json import shown

if TYPE_CHECKING:
    import pandas as pd

    from byzanz_lab.advice.tournament_result import Standings

_UNITS: Final = "profit and margin in points, win in shares of the win, _se is the standard error, _n the worlds"


def frame_of(thing: Any, what: str | None = None) -> pd.DataFrame:
    """A result as a table.

    Parameters
    ----------
    thing
        A `Record` or several of them; `Standings` of a tournament; or anything else that has ``to_frame``: advice, the
        values of a lot or of a market, a forecast, beliefs, a review.
    what
        Which table, where there are several. Records: ``"moves"`` (the usual one) or ``"results"``. A review:
        ``"decisions"``, ``"accounts"`` or ``"draws"``. A tournament: ``"standings"``, ``"pairs"``, ``"seats"`` or
        ``"games"``.

    Raises
    ------
    TypeError
        If it is nothing of this kind.
    ValueError
        If there is no such table.

    Examples
    --------
    >>> from byzanz_lab import Rules, new_game
    >>> from byzanz_lab.game.actions import Pass
    >>> record = Record.from_game(new_game(Rules.for_seats(3), seed=1), [(0, Pass()), (1, Pass())])
    >>> frame_of(record)[["game", "move", "seat", "phase", "action"]].to_dict("records")[1]
    {'game': 0, 'move': 1, 'seat': 1, 'phase': 'auction', 'action': 'pass'}
    """
    if isinstance(thing, Record):
        thing = [thing]
    if isinstance(thing, (list, tuple)) and thing and all(isinstance(one, Record) for one in thing):
        return _records(thing, what or "moves")
    if what == "games" and hasattr(thing, "plan"):
        return games_frame(thing)
    if not hasattr(thing, "to_frame"):
        raise TypeError(f"there is no table of {type(thing).__name__}: give records, or an answer of byzanz_lab")
    frame: pd.DataFrame = thing.to_frame(what) if what else thing.to_frame()
    frame.attrs = {"what": what or type(thing).__name__.lower(), "units": _UNITS, **_point_of_view(thing)}
    return frame


def _point_of_view(thing: Any) -> dict[Hashable, Any]:
    position = getattr(thing, "position", None)
    if position is None:
        return {}
    return {"seat": position.seat, "seats": position.rules.seats, "variant": position.rules.variant}


def _records(records: Iterable[Record], what: str) -> pd.DataFrame:
    if what not in ("moves", "results"):
        raise ValueError(f"unknown table {shown(what)} (tables of records are moves, results)")
    import pandas as pd

    rows: list[dict[str, Any]] = []
    for game, record in enumerate(records):
        rows.extend(_moves(game, record) if what == "moves" else _results(game, record))
    frame = pd.DataFrame(rows)
    frame.attrs = {"what": what, "units": "gain and profit in points, win in shares of the win; seat 0 is the first"}
    return frame


def _moves(game: int, record: Record) -> Iterable[dict[str, Any]]:
    """A row an action: when it was taken, by whom, what, and what came of it."""
    for turn in record.states():
        state: State = turn.state
        entry = action_to_dict(turn.seat, turn.action)
        cards = entry.get("cards") or entry.get("card") or entry.get("good") or ""
        own_bid = state.table.bids[turn.seat].total
        after = state.apply(turn.action, turn.seat)
        yield {
            "game": game,
            "move": turn.number,
            "round": state.table.round,
            "phase": str(state.phase),
            "seat": turn.seat,
            "name": record.names[turn.seat] if record.names else "",
            "in_turn": turn.seat == state.to_move,
            "action": entry["type"],
            "cards": cards if isinstance(cards, str) else " ".join(cards),
            "high_bid": state.table.high_bid,
            "own_bid": own_bid + (turn.action.cards.total if isinstance(turn.action, Bid) else 0),
            "gain": after.scores[turn.seat] - state.scores[turn.seat],
            "hand": len(state.hands[turn.seat]),
        }


def _results(game: int, record: Record) -> Iterable[dict[str, Any]]:
    """A row a seat: how a game ended, or where it stands."""
    final = record.replay()
    ended: Result | None = final.result() if final.is_over else None
    for seat in range(record.rules.seats):
        yield {
            "game": game,
            "seats": record.rules.seats,
            "seat": seat,
            "name": record.names[seat] if record.names else "",
            "finished": final.is_over,
            "profit": final.scores[seat],
            "goods_left": final.hands[seat].goods,
            "win": (seat in ended.winners) / len(ended.winners) if ended else None,
        }


def games_frame(standings: Standings) -> pd.DataFrame:
    """Every single game of a tournament: a row for each seat of each game.

    Returns
    -------
    pandas.DataFrame
        ``deal``, ``lineup``, ``rotation``, ``seat``, ``policy``, ``profit`` (points), ``tie_cards`` and ``win`` (share
        of the win). Deals are independent; games of one deal are not.
    """
    import numpy as np
    import pandas as pd

    from byzanz_lab.advice.tournament_play import seatings
    from byzanz_lab.simulation.playouts import Outcomes

    plan, profits = standings.plan, standings.profits
    blocks = range(-(-len(profits) // plan.block_deals))
    who = np.array([[seatings(lineup, block) for lineup in plan.lineups] for block in blocks], np.int16)
    who = np.repeat(who, plan.block_deals, axis=0)[: len(profits)]
    deal, lineup, rotation, seat = (axis.ravel() for axis in np.indices(profits.shape, np.int32))
    shares = Outcomes(profits, standings.ties, np.empty(0, np.int16)).win_shares()
    frame = pd.DataFrame(
        {
            "deal": deal,
            "lineup": lineup,
            "rotation": rotation,
            "seat": seat,
            "policy": pd.Categorical.from_codes(who.ravel(), pd.Index(standings.names)),
            "profit": profits.ravel(),
            "tie_cards": standings.ties.ravel(),
            "win": shares.ravel(),
        }
    )
    frame.attrs = {"what": "games", "units": "profit in points, win in shares of the win", "seed": plan.seed}
    return frame


def write_frame(frame: pd.DataFrame, path: str | Path) -> Path:
    """Write a table: ``.csv``, ``.csv.gz`` or ``.parquet``, by the name of the file.

    Raises
    ------
    ValueError
        If the name ends in anything else.
    ModuleNotFoundError
        If it is to be Parquet and pyarrow is missing; CSV needs nothing.
    """
    path = Path(path)
    if _kind(path) == "parquet":
        frame.to_parquet(path, index=False, engine="pyarrow")
    else:
        frame.to_csv(path, index=False)
    return path


def read_frame(path: str | Path) -> pd.DataFrame:
    """Read a table that `write_frame` wrote. CSV knows no types: numbers and texts are told apart by their looks."""
    import pandas as pd

    path = Path(path)
    if _kind(path) == "parquet":
        return pd.read_parquet(path, engine="pyarrow")
    return pd.read_csv(path, keep_default_na=False, na_values=[""])


def _kind(path: Path) -> str:
    name = path.name.lower()
    if name.endswith((".csv", ".csv.gz")):
        return "csv"
    if not name.endswith(".parquet"):
        raise ValueError(f"{path.name}: the name of a table ends in .csv, .csv.gz or .parquet")
    if importlib.util.find_spec("pyarrow") is None:
        raise ModuleNotFoundError(
            "pyarrow is missing: Parquet needs it, pip install 'byzanz-lab[parquet]' brings it; CSV needs nothing",
            name="pyarrow",
        )
    return "parquet"
