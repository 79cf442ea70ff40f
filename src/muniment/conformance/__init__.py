"""How is any agent memory measured?  With a seven-method adapter and the suites of this package.

The suites know no memory: they import the standard library alone and ask an `adapter.Memory`.
Beside them stand the floors, and the adapters of Muniment itself (`library`, `served`).
Nothing here is loaded unless somebody measures.
"""
