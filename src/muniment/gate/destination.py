"""Is there such a place, and does it take this class?"""

from muniment.domain.intent import Change, EditBlock, Intent, Remember
from muniment.gate.verdict import Known, Reason, Verdict, refuse


def refuse_bad_destination(intent: Intent, known: Known) -> Verdict | None:
    """Refuse a space that is not there or takes no data of this class, and a block that takes no edit (I10).

    The class is that of what the session has read and of the sources, too.
    """
    if isinstance(intent, Remember) and known.space is None:
        return refuse(Reason.NO_SUCH_SPACE)
    if isinstance(intent, EditBlock) and known.block_off:
        return refuse(Reason.BLOCK_OFF)
    if isinstance(intent, EditBlock) and known.file is not None:
        reason = Reason.UNREADABLE_FILE if known.file.is_unreadable else Reason.DRIFTED_FILE
        return refuse(reason, detail=known.file.sentence)
    if not isinstance(intent, (Remember, Change, EditBlock)) or known.space is None:
        return None
    brought = intent.label if isinstance(intent, Remember) else intent.read
    data_class = brought.joined(known.source_label).data_class
    if data_class > known.space.class_max:
        return refuse(Reason.CLASS_TOO_STRICT, detail=f"class {data_class.name.lower()}")
    return None


def refuse_bad_characters(intent: Intent, known: Known) -> Verdict | None:
    """Refuse a text with a character that the table does not allow, naming it.

    The characters were checked outside the lock; evidence never comes here, since it is
    kept with the character replaced.
    """
    bad = known.bad_character
    if bad is None:
        return None
    where = f"{bad.part}: U+{bad.code_point:04X} at {bad.offset} ({bad.rule})"
    return refuse(Reason.CHARACTERS, detail=where)
