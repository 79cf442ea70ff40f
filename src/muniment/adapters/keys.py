"""Where do the vault's keys lie, and who may read them?  In a directory beside the vault.

`<vault>.keys/` holds the vault's id, a signing key, the vault key and numbered tombstone
keys; the directory has mode 0700 and every file 0600.  A key that is missing is reported,
never made anew: a new one would disown everything made with the old.
"""

import errno
import hmac
import os
import re
import shutil
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from muniment.adapters import files, signing
from muniment.domain import checkpoint
from muniment.errors import BadStore, MissingKey

KEY_BYTES = 32
"""Length of every key."""

KEYS, BLOCKS = ".keys", ".blocks"
"""What the names of a vault's key directory, and of the directory of its block files, end in."""

_WHAT = "The key directory"
_SIGNING, _VAULT, _ID = "signing.key", "vault.key", "vault.id"
_TOMBSTONE = re.compile(r"tombstone-([0-9]{4})\.key")
_OLD_SIGNING = re.compile(r"signing-([0-9]{4})\.pub")
_NUMBER_MAX = 9_999
_TAKEN = frozenset({errno.EEXIST, errno.ENOTEMPTY, errno.ENOTDIR})
_ID_BYTES_MAX = 200
_COPIED_BYTES_MAX = 16 * 1024 * 1024


def keys_beside(vault: Path) -> Path:
    """Return the key directory of the vault file `vault`."""
    return vault.with_name(f"{vault.name}{KEYS}")


def blocks_beside(keys: Path) -> Path:
    """Return the directory of the block files of the vault with these keys."""
    return keys.with_name(f"{keys.name.removesuffix(KEYS)}{BLOCKS}")


class Keyring:
    """Hold a vault's keys in memory, and sign with them."""

    def __init__(
        self,
        *,
        seed: bytes,
        vault_key: bytes,
        tombstones: Mapping[int, bytes],
        old_public: tuple[bytes, ...] = (),
    ) -> None:
        self._seed = seed
        self._vault_key = vault_key
        self._tombstones = dict(sorted(tombstones.items()))
        self._old_public = old_public

    @property
    def vault_key(self) -> bytes:
        """Return the 32-byte key of row commitments, heads and value digests."""
        return self._vault_key

    @property
    def key_id(self) -> int:
        """Return the number of the newest tombstone key, from 1."""
        return max(self._tombstones)

    @property
    def tombstone_key(self) -> bytes:
        """Return the newest tombstone key; new tombstones are made with it."""
        return self._tombstones[self.key_id]

    @property
    def old_tombstone_keys(self) -> tuple[tuple[int, bytes], ...]:
        """Return the earlier tombstone keys by number, oldest first; they match for ever."""
        if len(self._tombstones) == 1:
            return ()
        newest = self.key_id
        return tuple((number, key) for number, key in self._tombstones.items() if number != newest)

    @property
    def public_key(self) -> bytes:
        """Return the 32 bytes that verify new signatures."""
        return signing.public_key_of(self._seed)

    @property
    def old_public_keys(self) -> tuple[bytes, ...]:
        """Return the public keys of earlier signing keys, oldest first."""
        return self._old_public

    def catch_up(self) -> None:
        """Do nothing: nobody else makes keys that are only in memory."""

    def sign(self, note: bytes) -> bytes:
        """Return the 64-byte Ed25519 signature of `note`."""
        return signing.signature(self._seed, note)


class MemoryKeyring(Keyring):
    """Hold keys that follow from a seed: for the reference vault and for tests."""

    def __init__(self, seed: bytes = b"muniment") -> None:
        def made(name: bytes) -> bytes:
            return hmac.digest(seed, name, "sha256")

        super().__init__(seed=made(b"signing"), vault_key=made(b"vault"), tombstones={1: made(b"tombstone")})


class FileKeyring(Keyring):
    """Hold the keys of one key directory."""

    def __init__(self, directory: Path, vault_id: str) -> None:
        """Read the keys of `vault_id`; `load` says what can go wrong."""
        newest = max(_numbers(directory, _TOMBSTONE), default=1)
        super().__init__(
            seed=_key(directory, _SIGNING),
            vault_key=_key(directory, _VAULT),
            # Every number up to the newest must be there: a gap is a rejection forgotten.
            tombstones={number: _key(directory, _tombstone(number)) for number in range(1, newest + 1)},
            old_public=tuple(_key(directory, _old_signing(n)) for n in _numbers(directory, _OLD_SIGNING)),
        )
        self._directory = directory
        self._vault_id = vault_id

    @classmethod
    def create(cls, directory: Path, vault_id: str) -> "FileKeyring":
        """Make a directory with new keys for the vault `vault_id`, whole or not at all.

        Raises BadStore when there is one already: keys are never overwritten.
        """
        checkpoint.origin_of(vault_id, 1)
        draft = directory.with_name(f".{directory.name}.{os.urandom(4).hex()}.part")
        with files.translated(_WHAT):
            try:
                _fill(draft, vault_id)
                _put_in_place(draft, directory)
            finally:
                with suppress(FileNotFoundError):
                    shutil.rmtree(draft)
        return cls.load(directory, vault_id)

    @classmethod
    def load(cls, directory: Path, vault_id: str) -> "FileKeyring":
        """Read the keys of the vault `vault_id`.

        Raises LooseKeys when the directory or a file is a link, another user's or open to
        others, and MissingKey when one is missing or they are another vault's.
        """
        found = vault_id_of(directory)
        if found is None:
            raise MissingKey("The key directory of this vault is missing.")
        if found != vault_id:
            raise MissingKey("The key directory belongs to another vault.")
        with files.translated(_WHAT):
            return cls(directory, vault_id)

    def catch_up(self) -> None:
        """Take in what another process made by a rotation; raises as `load` does.

        A directory that is gone gives nothing new, and the keys that are held still match.
        """
        if not self._directory.exists():
            return
        found = FileKeyring.load(self._directory, self._vault_id)
        if found.key_id >= self.key_id:
            self._tombstones, self._old_public, self._seed = found._tombstones, found._old_public, found._seed

    def rotate_tombstone(self) -> int:
        """Add a tombstone key for new tombstones, keep the old ones; return its number."""
        number = self.key_id + 1
        if number > _NUMBER_MAX:
            raise BadStore("The vault has had its last tombstone key.")
        key = os.urandom(KEY_BYTES)
        with files.translated(_WHAT):
            files.write_new(self._directory / _tombstone(number), key)
        # Put in place whole: other threads walk through the one before.
        self._tombstones = {**self._tombstones, number: key}
        return number

    def rotate_signing(self, at: datetime) -> str:
        """Take a new signing key; return a note in which both keys sign the change.

        The old public key stays for old signatures.  It is written first: a crash between
        the two leaves the old key in force and its public half kept twice.
        """
        old_public, seed = self.public_key, os.urandom(signing.SEED_BYTES)
        body = checkpoint.rotation_body(
            self._vault_id, old=old_public, new=signing.public_key_of(seed), at=at
        )
        name, message = f"muniment/{self._vault_id}", body.encode()
        lines = (
            checkpoint.signature_line(name, old_public, self.sign(message)),
            checkpoint.signature_line(name, signing.public_key_of(seed), signing.signature(seed, message)),
        )
        number = max(_numbers(self._directory, _OLD_SIGNING), default=0) + 1
        with files.translated(_WHAT):
            files.write_new(self._directory / _old_signing(number), old_public)
            files.replace(self._directory / _SIGNING, seed)
        self._old_public = (*self._old_public, old_public)
        self._seed = seed
        return checkpoint.note(body, lines)


def vault_id_of(directory: Path) -> str | None:
    """Return the id of the vault that a key directory belongs to, None when it is absent.

    Raises LooseKeys when others can reach it and MissingKey when it names no vault.
    """
    with files.translated(_WHAT):
        try:
            files.check_private_directory(directory)
        except FileNotFoundError:
            return None
        try:
            return files.read_private(directory / _ID, bytes_max=_ID_BYTES_MAX).decode("ascii").strip()
        except (FileNotFoundError, UnicodeDecodeError) as error:
            raise MissingKey(f"The key directory has no readable {_ID}.") from error


def copy_keys(directory: Path, copy: Path) -> None:
    """Copy a key directory, its witness too, for a copy of its vault; private from the first byte.

    Raises LooseKeys when a file is open to others, FullDisk, ReadOnly and Unreadable.
    """
    with files.translated(_WHAT):
        files.make_private_directory(copy)
        for name in sorted(os.listdir(directory)):
            if not name.endswith(".lock"):
                content = files.read_private(directory / name, bytes_max=_COPIED_BYTES_MAX)
                files.write_new(copy / name, content)


def _fill(draft: Path, vault_id: str) -> None:
    files.make_private_directory(draft)
    for name in (_SIGNING, _VAULT, _tombstone(1)):
        files.write_new(draft / name, os.urandom(KEY_BYTES))
    files.write_new(draft / _ID, f"{vault_id}\n".encode("ascii"))


def _put_in_place(draft: Path, directory: Path) -> None:
    """Rename the draft; an empty directory may stand there, anything else may not."""
    try:
        os.rename(draft, directory)
    except OSError as error:
        if error.errno in _TAKEN:
            raise BadStore("There is a key directory already; keys are never overwritten.") from error
        raise
    files.sync_directory(directory.parent)


def _key(directory: Path, name: str) -> bytes:
    try:
        key = files.read_private(directory / name, bytes_max=KEY_BYTES)
    except FileNotFoundError as error:
        raise MissingKey(f"The key file {name} is missing.") from error
    if len(key) != KEY_BYTES:
        raise MissingKey(f"The key file {name} is cut short.")
    return key


def _numbers(directory: Path, pattern: re.Pattern[str]) -> list[int]:
    found = (pattern.fullmatch(name) for name in os.listdir(directory))
    return sorted(int(match[1]) for match in found if match)


def _tombstone(number: int) -> str:
    return f"tombstone-{number:04}.key"


def _old_signing(number: int) -> str:
    return f"signing-{number:04}.pub"
