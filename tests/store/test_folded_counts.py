"""Where do the counts of a space stand?  In the head for some records, then in the statistics."""

from pathlib import Path

import apsw

import muniment
from muniment import limits
from muniment.recall.eligibility import Sort
from muniment.service.vault import Vault

NOTHING = ""


def _in_the_head(path: Path) -> str:
    ((counts,),) = apsw.Connection(str(path)).execute("SELECT counts FROM tenant_head").fetchall()
    assert isinstance(counts, str)
    return counts


def _folded(path: Path) -> int:
    ((items,),) = (
        apsw.Connection(str(path)).execute("SELECT coalesce(sum(items), 0) FROM statistic").fetchall()
    )
    assert isinstance(items, int)
    return items


def _counted(vault: Vault) -> int:
    with vault.ground.store.snapshot() as snapshot:
        spaces = tuple(space.n for space in snapshot.spaces())
        return snapshot.statistics(spaces, Sort.MEMORY, ()).items


def test_a_count_is_right_before_at_and_after_every_fold(tmp_path: Path) -> None:
    path = tmp_path / "vault.db"
    folds = 0
    with muniment.open(path) as vault:
        for written in range(1, 2 * limits.records_between_folds_max + 3):
            record = vault.remember(f"The shelf holds {written} things").record
            assert _counted(vault) == written
            if not (record + 1) % limits.records_between_folds_max:
                folds += 1
                assert (_in_the_head(path), _folded(path)) == (NOTHING, written)
            else:
                assert _in_the_head(path) != NOTHING
                assert _folded(path) < written
    assert folds == 2


def test_a_rebuild_leaves_nothing_counted_twice(tmp_path: Path) -> None:
    path = tmp_path / "vault.db"
    with muniment.open(path) as vault:
        for written in range(5):
            vault.remember(f"The shelf holds {written} things")
        assert _in_the_head(path) != NOTHING
        vault.reindex()
        assert _counted(vault) == 5


def test_counts_taken_out_are_taken_from_the_sum(tmp_path: Path) -> None:
    path = tmp_path / "vault.db"
    with muniment.open(path) as vault:
        first = vault.remember("The shelf holds a lamp").id
        vault.remember("The shelf holds a book")
        vault.retire(first)
        assert _counted(vault) == 1
