"""Which nouns and laws does memory have?  Standard library only: no clock, no I/O."""
