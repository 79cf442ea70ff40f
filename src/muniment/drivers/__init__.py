"""Which retrievers propose candidates?"""
