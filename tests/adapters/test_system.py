"""Do the clock and the ids of the operating system keep their promises?"""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

from muniment.adapters.system import SystemClock, SystemIds
from muniment.domain.ids import is_id


def test_the_clock_is_aware_and_in_utc() -> None:
    now = SystemClock().now()
    assert now.tzinfo is UTC
    assert abs(datetime.now(UTC) - now) < timedelta(minutes=1)


def test_an_id_has_its_prefix_and_twenty_six_characters() -> None:
    made = SystemIds().new("m")
    assert made.startswith("m_")
    assert len(made) == 28
    assert is_id(made)


def test_ids_sort_by_the_order_in_which_they_were_made() -> None:
    ids = SystemIds()
    made = [ids.new("e") for _ in range(5_000)]
    assert made == sorted(made)
    assert len(set(made)) == len(made)


def test_threads_never_make_the_same_id() -> None:
    ids = SystemIds()
    with ThreadPoolExecutor(4) as pool:
        batches = list(pool.map(lambda _: [ids.new("m") for _ in range(500)], range(4)))
    assert len({each for batch in batches for each in batch}) == 2_000


def test_a_salt_has_its_size_and_is_never_repeated() -> None:
    ids = SystemIds()
    salts = {ids.salt(12) for _ in range(1_000)}
    assert len(salts) == 1_000
    assert {len(salt) for salt in salts} == {12}


def test_a_forked_child_draws_other_ids_and_salts() -> None:
    ids = SystemIds()
    ids.new("m"), ids.salt(12)
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(write, (ids.new("m") + ids.salt(12).hex()).encode())
        os._exit(0)
    os.waitpid(child, 0)
    theirs = os.read(read, 200).decode()
    os.close(read)
    os.close(write)
    assert len(theirs) == 28 + 24
    # The end of an id is chance; its beginning is the time, which both may share.
    assert theirs[20:28] != ids.new("m")[20:]
    assert theirs[28:] != ids.salt(12).hex()


def test_the_clock_and_the_keys_load_without_cryptography() -> None:
    """Opening a vault must not pay for what only signing needs."""
    code = (
        "import sys, muniment.adapters.system, muniment.adapters.witness\n"
        "from muniment.adapters.keys import MemoryKeyring\n"
        "ring = MemoryKeyring(); ring.vault_key, ring.tombstone_key\n"
        "print('cryptography' in sys.modules)\n"
        "ring.sign(b'')\n"
        "print('cryptography' in sys.modules)\n"
    )
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environ
    )
    assert done.stdout.split() == ["False", "True"]
