"""How is a PostgreSQL database reached, asked and changed?"""
