"""The two other games with the Byzantine name, analysed with the same statistics and in the same words as Byzanz.

Each is a package of its own with its own rules, playouts, advice and panel; they share `byzanz_lab.evaluation`, which
knows no game.
"""
