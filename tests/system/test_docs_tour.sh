#!/bin/bash
# Every command line of the documents is executed, every output shown is compared: the pages of one group.
set -u
python3 "$HEDDLE_SOURCE/tests/system/run_docs.py" tour
