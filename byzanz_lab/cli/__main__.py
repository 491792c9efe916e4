"""``python -m byzanz_lab.cli``: the command line, where the script ``byzanz-lab`` is not on the search path."""

from __future__ import annotations

import sys

from byzanz_lab.cli import main

if __name__ == "__main__":
    sys.exit(main())
