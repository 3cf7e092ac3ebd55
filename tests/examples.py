"""How many examples a test of Hypothesis tries: a few with ``--fast``, otherwise the number it asks
for.

``pytest_configure`` loads the profile before the tests are imported. Tests that ask for no number
use the profile's.
"""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, settings

USUAL, FEW = "usual", "few"
# How long an example takes depends on what else the machine does.
settings.register_profile(USUAL, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile(FEW, settings.get_profile(USUAL), max_examples=20)


def examples(count: int, **more: Any) -> settings:
    """Settings for a test with this many examples and no deadline for each.

    :param more: other settings of Hypothesis.
    """
    if settings.get_current_profile_name() == FEW:
        count = min(count, settings.get_profile(FEW).max_examples)
    return settings(max_examples=count, deadline=None, **more)
