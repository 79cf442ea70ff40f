"""What stands in a session's prompt, in which order?  Pure: texts in, one text out."""
