"""Which text of a version do its index terms come from?  The domain's one rule."""

from muniment.domain.memory import Version, findable_text


def indexed_text(version: Version) -> str:
    """Return everything that a version can be found by.

    Of evidence only the text is indexed: who speaks is a field of its own.
    """
    return findable_text(version.claim, version.tags)
