"""What can be done with a vault?  One use case a file."""
