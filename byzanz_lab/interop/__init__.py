"""Doors to other people's tools: PettingZoo, OpenSpiel, tables and files.

An agent that speaks PettingZoo or OpenSpiel plays Byzanz here without knowing any of our types. Both doors share one
language: an action is named card by card (`choices`), so that a fixed list of some forty choices is enough, and what a
seat sees is one flat row of numbers (`observation`). Neither door knows a rule: what is legal is asked of `game`.
``frames`` and ``study`` hand our answers on as tables and files. Each door needs an extra of its own, and says so.
"""
