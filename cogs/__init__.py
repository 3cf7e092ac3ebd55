"""What people type and press, and what they see."""
