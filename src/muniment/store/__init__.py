"""Where is it kept?  One store class over named queries, and a reference in plain objects."""
