"""Which fixtures do the tests of this directory share with the other behaviour tests?"""

from tests.vault_fixtures import clock, vault, world

__all__ = ["clock", "vault", "world"]
