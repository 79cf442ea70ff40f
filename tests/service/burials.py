"""How does a test erase a value before anything else can?  By its tombstones alone."""

from muniment.service.burying import Grave, Term, erased_tombstones
from muniment.service.draft import Draft
from muniment.service.vault import Vault
from muniment.service.watch import erased_spans


def buried(vault: Vault, *terms: str | Term) -> list[str]:
    """Bury terms as erased, in one transaction; return the tombstones' ids."""
    asked = [term if isinstance(term, Term) else Term(term) for term in terms]
    with vault.ground.store.transaction() as transaction:
        draft = Draft.begun(vault.ground, transaction)
        space = draft.space("home")
        memory = vault.ground.outside.ids.new("m")
        made = erased_tombstones(draft, asked, Grave(memory, space.n, actor=1))
        for tombstone, found_by in made:
            draft.add_tombstone(tombstone, found_by)
        draft.commit("erase", actor=1, outcome="stored")
    return [one.tombstone.id for one in made]


def spans_in(vault: Vault, text: str) -> list[str]:
    """Return the parts of a text that erased tombstones hit."""
    with vault.ground.store.snapshot() as snapshot:
        return [text[span.start : span.end] for span in erased_spans(vault.ground, snapshot, text)]
