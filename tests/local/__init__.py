"""Tests of the local table, as a newcomer first sees it."""
