"""What everybody can see to have no effect: such a window or option is not offered."""

from __future__ import annotations

from services.great_wall.cards.board import (
    BARRICADES_PER_SECTION,
    PRODUCTION,
    TOP_LEVEL,
    TOP_OVERSEER,
)
from services.great_wall.cards.commands import Command
from services.great_wall.counting import amount
from services.great_wall.effects import (
    Attack,
    Build,
    CopyCard,
    DiscardShame,
    DrawTactics,
    Effect,
    Effects,
    Gain,
    Hire,
    MoveTea,
    OverseerIncome,
    Reclaim,
    Recruit,
    SaveSoldier,
    UpgradeOverseer,
    Where,
    Wound,
)
from services.great_wall.field import available, free_spots, horde_of
from services.great_wall.goods import AT, SECTIONS, SOLDIERS, Location, Work, Zone
from services.great_wall.state import State
from services.great_wall.tasks.task import Event


def idle(state: State, clan: int, effects: Effects, event: Event) -> bool:
    """Whether a list of effects would publicly change nothing."""
    return all(is_idle(state, clan, effect, event) for effect in effects)


def is_idle(  # noqa: C901, PLR0912  # one case a primitive
    state: State, clan: int, effect: Effect, event: Event
) -> bool:
    """Whether one effect would publicly change nothing; False where that is not plain."""
    one = state.clans[clan]
    match effect:
        case Gain():
            amounts = (effect.honour, effect.wild)
            return not effect.goods and not any(amount(state, clan, it, event) for it in amounts)
        case DrawTactics() | Recruit() if amount(state, clan, effect.count, event) < 1:
            return True
        case Recruit():
            return not any(available(state, clan, AT[kind]) for kind in effect.types)
        case DrawTactics():
            return not state.tactic_deck and not state.tactic_discard
        case Attack():
            return not amount(state, clan, effect.count, event) or not attackers(
                state, clan, effect
            )
        case Wound():
            return not wounded(state, clan, effect.where, event)
        case UpgradeOverseer():
            return not upgradable(state, clan, effect.where)
        case OverseerIncome():
            return not any(one.overseers)
        case DiscardShame():
            return not any(one.frozen) and not any(claim.shame for claim in one.claimed)
        case Reclaim():
            return not one.discard
        case SaveSoldier():
            return state.toll is None or all(lost.clan != clan for lost in state.toll.doomed)
        case MoveTea():
            return state.tea[0] == clan
        case Build():
            return not sites(state, effect.what)
        case Hire():
            return not (one.reserve if effect.what is Work.CLERK else state.advisor_track)
        case CopyCard():
            return not copyable(state, clan)
    return False


def attackers(state: State, clan: int, effect: Attack) -> bool:
    """Whether a clan has a soldier for an attack effect."""
    one = state.clans[clan]
    if Zone.FIRING in effect.zones and any(one.firing):
        return True
    kinds = [AT[kind] for kind in effect.types]
    return Zone.REST in effect.zones and any(
        one.rest[section * len(SOLDIERS) + kind]
        for section in range(len(SECTIONS))
        for kind in kinds
    )


def wounded(state: State, clan: int, where: Where, event: Event) -> bool:
    """Whether a wound effect has a free spot to go to."""
    if where is Where.ATTACKED:
        hordes = [horde for card in event.hordes if (horde := horde_of(state, card))]
    else:
        firing = state.clans[clan].firing
        sections = (
            [AT[section] for section in event.sections]
            if where is Where.EVENT_SECTION
            else [at for at, archers in enumerate(firing) if archers]
        )
        hordes = [horde for section in sections for horde in state.hordes[section]]
    return any(free_spots(horde) for horde in hordes)


def upgradable(
    state: State, clan: int, where: Location | None, done: tuple[Location, ...] = ()
) -> list[Location]:
    """Where a clan could place or upgrade an overseer, if it can pay."""
    levels = state.clans[clan].overseers
    soldiers = any(available(state, clan, kind) for kind in range(len(SOLDIERS)))
    return [
        place
        for at, place in enumerate(PRODUCTION)
        if (where is None or place is where)
        and place not in done
        and levels[at] < TOP_OVERSEER
        and (levels[at] or soldiers)
    ]


def sites(state: State, what: Work) -> list[int]:
    """The open sections with room for a barricade or another wall level."""
    open_ones = [AT[section] for section in state.setup.sections]
    if what is Work.WALL:
        return [at for at in open_ones if state.walls[at] < TOP_LEVEL]
    return [at for at in open_ones if state.barricades[at] < BARRICADES_PER_SECTION]


def copyable(state: State, clan: int) -> list[int]:
    """Spaces with a card that a betrayal may copy (R6.4)."""
    return [
        space
        for space, played in enumerate(state.track)
        if played
        and played.clan not in (clan, state.reed)
        and played.command is not Command.BETRAYAL
    ]
