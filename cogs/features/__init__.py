"""What people can do: one module a feature, its commands and its buttons together."""
