"""How is a tenant on a server?  Whether it has grown beyond what is compared one by one."""

from muniment import limits
from muniment.domain.check import Check
from muniment.errors import MunimentError
from muniment.store.postgres import near
from muniment.store.postgres.connection import PostgresSession


def examined(address: str, *, tenant: int) -> tuple[Check, ...]:
    """Return the checks of a tenant on a server; reads only."""
    try:
        session = PostgresSession(address, tenant=tenant)
    except MunimentError as error:
        return (Check("server", False, f"{error.code}: {error.sentence} {error.advice}"),)
    try:
        session.begin(writing=False)
        ((built,),) = session.answer(near.STATEMENTS["is_built"].decode())
        ((rows,),) = session.answer(near.STATEMENTS["most_rows"].decode())
    finally:
        session.roll_back()
        session.close()
    return (_neighbours(int(rows), built=bool(built)),)


def _neighbours(rows: int, *, built: bool) -> Check:
    if built:
        return Check("neighbours", True, "Large spaces are looked through by an index of neighbours.")
    if rows <= limits.exact_vector_rows_max:
        return Check("neighbours", True, f"All vectors are compared: {rows} of a sort at most.")
    sentence = f"{rows} vectors of a sort are compared one by one; run `muniment migrate` for an index."
    return Check("neighbours", False, sentence)
