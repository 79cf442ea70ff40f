"""How is a SQLite file opened, asked and changed?"""
