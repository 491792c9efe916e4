"""Worlds that fit what a seat knows, and playouts: the rules once more, compiled, with policies that play them out.

``determinize`` deals the hidden cards in all the ways that fit a `Position`, uniformly; ``play_out`` plays each world
to the end by policies. Everything is a function of a root seed and the number of a world, so the answer is the same on
any number of workers, in any order. Compiled code releases the GIL. Where Numba cannot be imported the same functions
run as plain Python, slowly.
"""
