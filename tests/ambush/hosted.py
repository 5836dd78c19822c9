"""What VALLUM_EXTRA_GAMES=tests.ambush.hosted makes the host serve."""

from services.games import Hosted
from tests.ambush.game import GAME

HOSTED = Hosted(game=GAME, package="ambush.v1")
