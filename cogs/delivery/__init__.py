"""Making what should stand in Discord stand there, and answering those who act."""
