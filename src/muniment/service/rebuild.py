"""How is the index made anew?  From the rows, with the present analyser and embedder."""

from dataclasses import replace

from muniment import limits
from muniment.domain.changes import Page
from muniment.domain.principal import Principal
from muniment.service.deeds import allowed, refuse_on_record
from muniment.service.draft import Draft
from muniment.service.ground import Ground, head_mac


def reindex(ground: Ground, principal: Principal) -> int:
    """Rebuild both indexes with the present analyser and fill in vectors; return the rows indexed."""
    ground.refuse_unwritable()
    refuse_on_record(ground, principal, deed="reindex")
    with ground.store.transaction() as transaction:
        head = ground.checked_head(transaction)
        if head.analyser != ground.outside.analyser.version:
            moved = replace(head, analyser=ground.outside.analyser.version)
            transaction.set_analyser(replace(moved, mac=head_mac(ground.vault_key, moved)))
        draft = Draft.begun(ground, transaction)
        actor = allowed(ground, draft, principal, deed="reindex")
        count = transaction.rebuild(ground.outside.analyser.terms)
        draft.commit("reindex", actor=actor, outcome="stored", items=count)
    back_fill(ground)
    return count


def back_fill(ground: Ground) -> int:
    """Give every live row without a vector of the present model one; return how many.

    It ends where the embedder fails: the index stands, and the next rebuild goes on (I14).
    """
    embedder = ground.outside.embedder
    if not embedder.model:
        return 0
    after = count = 0
    while True:
        with ground.store.transaction() as transaction:
            rows = transaction.unembedded(embedder.model, Page(after, limits.batch_items_max))
            for n, text in rows:
                after = n
                vector, failed = ground.vector_of(text)
                if failed:
                    return count
                if vector:
                    transaction.set_vector(n, vector, model=embedder.model)
                    count += 1
        if not rows:
            return count
