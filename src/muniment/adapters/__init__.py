"""How are clocks, keys, analysers, embedders and files reached?"""
