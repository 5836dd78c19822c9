"""Bots: policies that play any game from what their seat may see."""

from services.bots.policies import FALLBACK, POLICIES, policies
from services.bots.policy import Policy, rng_for

__all__ = ["FALLBACK", "POLICIES", "Policy", "policies", "rng_for"]
