"""Which text of a version do its index terms come from?  One rule, the same for every store."""

from muniment.domain.memory import Version


def indexed_text(version: Version) -> str:
    """Return everything that a version can be found by, joined by spaces.

    The text, what it is about, the attribute, its value and the tags; empty parts leave no
    gap.  Of evidence only the text is indexed: who speaks is a field of its own.
    """
    claim = version.claim
    parts = (claim.text, claim.about, claim.attribute, claim.value, *version.tags)
    return " ".join(part for part in parts if part)
