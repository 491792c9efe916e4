"""The course in ``notebooks/``: what its lessons compute and draw beyond the toolkit itself, and their exercises.

Each lesson is a module named after its notebook. It holds the positions that the notebook talks about, its experiments
(how often is the highest of four honest guesses too high?), and three exercises, ``first``, ``second`` and ``third``,
each with ``check(answer)``. Notebooks themselves hold no helper code.
"""
