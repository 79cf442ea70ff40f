"""May this change happen?  The only door for writes: pure steps in a visible order."""
