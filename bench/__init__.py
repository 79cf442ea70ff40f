"""How does Muniment compare with what a competent person would write by hand?"""
