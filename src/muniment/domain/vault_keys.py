"""Which keys does a vault take with it?  Those that its commitments and tombstones were made with."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class VaultKeys:
    """Hold the keys that an export's commitments and tombstones were made with."""

    vault: str
    vault_key: bytes = field(repr=False)
    tombstone_keys: tuple[tuple[int, bytes], ...] = field(repr=False)
