"""What can an agent call?"""
