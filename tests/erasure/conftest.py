"""Which fixtures do the tests of erasure share?  Every store's vault, and a vault with things in it."""

from tests.vault_fixtures import clock, make_vault, vault, world

__all__ = ["clock", "make_vault", "vault", "world"]
