"""What answers this question?  The only door for reads: pure."""
