"""The pictures of Don Quixote."""

from render.donquixote.painter import DonQuixotePainter

PAINTER = DonQuixotePainter()
