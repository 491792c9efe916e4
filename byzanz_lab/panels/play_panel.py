"""The panel on which a game is played: the table as your seat sees it, and the actions that are allowed now."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from byzanz_lab.game.actions import Action, Bid, Decline, Discard, Done, Pass, Sell, Take, Tax
from byzanz_lab.game.cards import GOOD_NAMES, Cards
from byzanz_lab.game.position import Position
from byzanz_lab.game.sales import set_profit
from byzanz_lab.game.table import Phase
from byzanz_lab.panels.game import PLAYERS, Game
from byzanz_lab.panels.views import Message, View, program, with_fallback

FILE: Final = "byzanz-game.json"
PROMPTS: Final = {
    Phase.AUCTION: "Bid with some of your goods, or pass.",
    Phase.TAX: "You have won the lot: choose the card of it that goes to the market.",
    Phase.LAST_LOT: "The last lot is yours: choose the card that goes to the market, you keep the other.",
    Phase.MARKET: "Take a group from the market.",
    Phase.HAND_LIMIT: "You hold too many cards: sell a set, or drop cards.",
    Phase.CLOSING: "Sell what you can, then finish.",
}
CHOOSING: Final = {
    Phase.AUCTION: "Take cards from your hand for the bid (or a set of three to sell):",
    Phase.HAND_LIMIT: "Take three cards for a set, or cards to drop:",
}
SELLING: Final = "Take three cards from your hand for a set to sell:"


class PlayPanel(View):
    """A game against policies.

    Parameters
    ----------
    game
        What it shows and plays; a new one if not given.
    """

    _esm = program("dom.js", "play.js")
    _open = False

    def __init__(self, game: Game | None = None) -> None:
        self.game = Game() if game is None else game
        self._own_game = game is None
        self._players, self._seed = list(self.game.players), str(self.game.seed)
        self._chosen = ""
        self._turn = -1
        self._advise: Callable[[Position], object] | None = None
        super().__init__(self._hear_page, self._told)
        self.game.observe(self._draw, "revision")
        self._draw(None)
        self._open = True

    def on_advise(self, take: Callable[[Position], object] | None) -> None:
        """Have a button that hands the position of your seat to somebody, an advisor for instance."""
        self._advise = take
        self._draw(None)

    def retire(self) -> None:
        """Listen to nobody any more, and end the game unless it was handed in."""
        if self._open:
            self._open = False
            self._advise = None
            self.game.unobserve(self._draw, "revision")
            if self._own_game:
                self.game.close()
            super().retire()

    def close(self) -> None:
        """Take it away, and the game with it unless it was handed in."""
        self.retire()
        super().close()

    def _told(self, sentence: str) -> None:
        with self.game.lock:
            self.game.error = sentence
            self._draw(None)

    def _draw(self, _: Any) -> None:
        with self.game.lock:
            turn = len(self.game.log)
            if turn != self._turn:
                self._turn, self._chosen = turn, ""
            self.view = {**table_view(self.game, self._chosen), "id": f"bz{self.model_id or ''}", **self._around()}

    def _around(self) -> dict[str, Any]:
        """The next game's settings, and the buttons that are no actions."""
        game = self.game
        busy = "" if game.is_your_turn else "there is nothing for you to decide now"
        tools = [
            {
                "text": "Hint",
                "does": {"do": "hint"},
                "why": busy or ("it is coming" if game.state == "running" else ""),
            },
            {"text": "Undo", "does": {"do": "undo"}, "why": "" if game.can_undo else "you have done nothing yet"},
            {"text": "Save the record", "does": {"do": "save"}, "why": ""},
        ]
        if self._advise is not None:
            tools.insert(1, {"text": "Open in the advisor", "does": {"do": "advise"}, "why": busy})
        return {
            "players": list(self._players),
            "kinds": [[name, name if name == words else f"{name}: {words}"] for name, words in PLAYERS.items()],
            "seed": self._seed,
            "fresh": not game.can_undo,
            "tools": tools,
        }

    def _hear_page(self, message: Message) -> None:
        game, what = self.game, message.get("do")
        if what == "act":
            game.play(str(message["action"]))
        elif what == "weigh":
            self._chosen = str(message["cards"])[:500]
            self._draw(None)
        elif what == "set":
            self._settle(str(message["field"]), str(message["text"]))
        elif what == "deal":
            seed = self._seed.strip()
            if not (seed.isascii() and seed.isdigit()):
                raise ValueError(f"a seed is a whole number, not {seed[:40]!r}")
            game.start(self._players, int(seed[:12]))
        elif what == "undo":
            game.undo()
        elif what == "hint":
            game.ask()
        elif what == "save":
            self.send({"do": "download", "name": FILE, "text": game.record().dumps() + "\n"})
        elif what == "advise" and self._advise is not None:
            self._advise(game.position)

    def _settle(self, field: str, text: str) -> None:
        """Change the next game: exactly one seat is yours."""
        if field == "seed":
            self._seed = text[:20]
        elif field == "seats":
            n = min(max(int(text), 3), 6)
            self._players = [*self._players, *["default"] * 6][:n]
        elif field.startswith("player "):
            seat = int(field.removeprefix("player "))
            if text == "you":
                self._players = ["default" if name == "you" else name for name in self._players]
            self._players[seat] = text
        if "you" not in self._players:
            free = next((seat for seat in range(len(self._players)) if field != f"player {seat}"), 0)
            self._players[free] = "you"
        self._draw(None)

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        html = self.game.position._repr_html_()
        return with_fallback(super()._repr_mimebundle_(**kwargs), html, f"PlayPanel({len(self.game.log)} actions)")


def table_view(game: Game, chosen: str = "") -> dict[str, Any]:
    """All of the game that is drawn, as plain values: nothing in it is hidden from your seat."""
    position, table = game.position, game.position.table
    yours, phase = game.is_your_turn, position.phase
    seats = [
        {
            "seat": seat,
            "name": game.players[seat],
            "you": seat == position.seat,
            "to_move": seat == table.to_move,
            "profit": table.profits[seat],
            "offer": table.offers[seat],
            "total": table.bids[seat].total,
            "bid": list(table.bids[seat].counts),
            "passed": seat in table.passes,
            "known": list((position.hand if seat == position.seat else table.known[seat]).counts),
            "unknown": position.unknown[seat],
        }
        for seat in range(position.rules.seats)
    ]
    choosing = yours and (phase in CHOOSING or any(isinstance(a, Sell) for a in position.legal_actions()))
    return {
        "turn": len(game.log),
        "prompt": prompt(game),
        "error": game.error,
        "caption": f"Round {position.round} of {position.rules.rounds}, {position.deck_left} cards left in the deck",
        "offer": position.offer,
        "lot": list(position.lot.counts),
        "market": list(position.market.counts),
        "hand": list(position.hand.counts),
        "table": seats,
        "choosing": CHOOSING.get(phase, SELLING) if choosing else "",
        "buttons": actions(game, chosen) if yours else [],
        "hint": game.hint._repr_html_().replace("<p><strong>", "<p>", 1) if game.hint is not None else "",
        "result": game.record()._repr_html_() if game.is_over else "",
        "log": [[number, f"seat {seat}: {text}"] for number, (seat, text) in reversed(list(enumerate(game.log, 1)))],
    }


def prompt(game: Game) -> str:
    """What is expected of you, in a sentence."""
    if game.is_over:
        winners = game.record().replay().result().winners
        if game.seat in winners:
            return "The game is over: you win." if len(winners) == 1 else "The game is over: you share the win."
        return f"The game is over: seat {' and '.join(map(str, winners))} won."
    if not game.is_your_turn:
        return f"Seat {game.position.to_move} is thinking …"
    if game.hint is not None:
        return f"Hint: {game.hint.sentence}"
    return f"Your turn. {PROMPTS[game.position.phase]}"


def actions(game: Game, chosen: str) -> list[dict[str, Any]]:
    """The buttons of the decision at hand, each with the reason why it is not allowed, if so."""
    position = game.position
    cards = Cards(chosen)
    due = [a for a in position.legal_actions() if isinstance(a, (Tax, Take, Decline))]
    found = [_button(_label(action), action, "") for action in due]
    if position.phase is Phase.AUCTION:
        total = (position.bids[position.seat] + cards).total
        found.append(_with_cards(game, f"Bid {total}", Bid, cards, "take cards for a bid first", main=True))
        found.append(_button("Pass", Pass(), game.why_not(Pass())))
    if position.phase is Phase.HAND_LIMIT:
        found.append(_with_cards(game, f"Drop {cards}", Discard, cards, "take the cards to drop first"))
    if any(isinstance(action, Sell) for action in position.legal_actions()):
        gain = "" if not cards or game.why_not(Sell(cards)) else f" for {set_profit(cards)}"
        found.append(_with_cards(game, f"Sell {cards}{gain}", Sell, cards, "take three cards for a set first"))
    if position.phase is Phase.CLOSING:
        found.append(_button("Finish", Done(), game.why_not(Done()), main=True))
    return found


def _with_cards(
    game: Game, text: str, kind: Callable[[Cards], Action], cards: Cards, empty: str, main: bool = False
) -> dict[str, Any]:
    if not cards:
        return _button(text.split(maxsplit=1)[0], None, empty, main)
    return _button(text, kind(cards), game.why_not(kind(cards)), main)


def _button(text: str, action: Action | None, why: str, main: bool = False) -> dict[str, Any]:
    return {"text": text, "does": {"do": "act", "action": str(action or "")}, "why": why, "main": main}


def _label(action: Action) -> str:
    if isinstance(action, Tax):
        return f"{action.card} to the market"
    return f"Take {GOOD_NAMES[action.good]}" if isinstance(action, Take) else "Take nothing"
