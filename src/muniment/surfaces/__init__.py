"""Which ways in are there?  Strangers to each other."""
