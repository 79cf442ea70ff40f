"""Is a large k filled, and a small one never exceeded?"""

from muniment import limits
from muniment.service.vault import Vault


def test_a_k_beyond_a_lane_is_filled_and_never_exceeded(vault: Vault) -> None:
    for number in range(limits.candidates_per_lane_max * 3):
        vault.remember(f"The lantern {number} hangs in hall {number}")
    many = limits.candidates_per_lane_max * 3 - 6
    assert len(vault.recall("lantern hall", k=many).hits) == many
    assert len({hit.id for hit in vault.recall("lantern hall", k=many).hits}) == many
    assert len(vault.recall("lantern hall", k=4).hits) == 4
    assert len(vault.recall("lantern", k=limits.hits_max).hits) == limits.candidates_per_lane_max * 3
