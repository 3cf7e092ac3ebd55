"""What people can do: one module per feature, holding its commands and its buttons."""
