"""Which foreign files can be read, and how?"""

from muniment.adapters.importers.detect import IMPORTERS, Importer, arrivals, detected

__all__ = ["IMPORTERS", "Importer", "arrivals", "detected"]
