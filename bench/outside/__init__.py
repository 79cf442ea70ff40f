"""How does Muniment stand in suites that others wrote?  Installed beside it, never shipped."""
