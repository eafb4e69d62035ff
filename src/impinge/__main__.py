"""`python -m impinge` is the `impinge` command."""

import sys

from impinge.cli import main

sys.exit(main())
