"""The pictures of Lancelot: a tournament field of woven cloth and heraldry."""

from render.lancelot.painter import PAINTER as PAINTER
