"""How does Muniment stand beside Hermes Agent?  The real package, headless, in an environment of its own."""
