"""The HTTP surface: for now over the sockets of a local daemon."""
