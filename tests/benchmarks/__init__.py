"""What the benchmarks count."""
