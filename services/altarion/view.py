"""What everybody sees: all but the order of the piles, which no position holds."""

from __future__ import annotations

from services.altarion.goods import WHEEL, Stock
from services.altarion.pieces import (
    BOARD,
    ExplorationPile,
    FieldView,
    HeroView,
    MiningPile,
    PlayerView,
    StandingMine,
    TurnView,
    exploration_pile,
    hero_view,
    mining_pile,
    player,
    standing_mines,
    turn_view,
)
from services.altarion.rules.arrivals import berths
from services.altarion.rules.dispute import opponents
from services.altarion.rules.mines import cards_left
from services.altarion.rules.movement import reachable
from services.altarion.state import (
    AltarionOptions,
    Ending,
    Offer,
    Phase,
    Stage,
    State,
    Talk,
)
from services.gamekit.game import Record, Seat


class View(Record, frozen=True):
    """The position; `seat` is None for a spectator. `reachable` holds the fields among which the
    open question asks to choose, `targets` the heroes with whom a dispute may be started."""

    seat: Seat | None
    options: AltarionOptions
    round: int
    phase: Phase
    first: Seat
    queue: tuple[Seat, ...]
    fields: tuple[FieldView, ...]
    players: tuple[PlayerView, ...]
    heroes: tuple[HeroView, ...]
    mines: tuple[StandingMine, ...]
    turn: TurnView | None
    reachable: tuple[int, ...]
    targets: tuple[int, ...]
    talks: tuple[Talk, ...]
    offer: Offer | None
    mine_cards: Stock
    mining: MiningPile
    exploration: ExplorationPile
    undrawn_heroes: tuple[int, ...]
    sand: tuple[int, ...]
    ending: Ending | None


def view(state: State, seat: Seat | None) -> View:
    """The position as `seat` sees it: as everybody does."""
    return View(
        seat=seat,
        options=state.options,
        round=state.round,
        phase=state.phase,
        first=state.first,
        queue=state.queue,
        fields=BOARD,
        players=tuple(player(state, Seat(owner)) for owner in range(len(state.sheets))),
        heroes=tuple(hero_view(owner, hero) for owner, hero in state.heroes()),
        mines=standing_mines(state),
        turn=turn_view(state),
        reachable=choices(state),
        targets=targets(state),
        talks=state.talks,
        offer=state.offer,
        mine_cards=Stock(*(cards_left(state, mineral) for mineral in WHEEL)),
        mining=mining_pile(state.mining),
        exploration=exploration_pile(state.exploration),
        undrawn_heroes=state.undrawn,
        sand=state.sand,
        ending=state.ending,
    )


def choices(state: State) -> tuple[int, ...]:
    """The fields that answer the open question: where to place a hero, or where to move one."""
    if state.turn:
        return reachable(state) if state.turn.stage is Stage.MOVE else ()
    if not state.queue or state.sheets[state.queue[0]].arriving is None:
        return ()
    return berths(state, state.queue[0]) if state.phase in PLACING else ()


PLACING = (Phase.FIRST_PLACES, Phase.ARRIVALS)


def targets(state: State) -> tuple[int, ...]:
    """The heroes with whom the hero whose turn it is may start a dispute now."""
    if state.turn is None or state.turn.stage is not Stage.DISPUTE:
        return ()
    return tuple(foe.card for _, foe in opponents(state))
