"""The program, for tests that compare with it."""
import json
import os
import subprocess

SAXPY = os.path.join(os.environ["HEDDLE_SOURCE"], "examples", "saxpy", "saxpy.ptx")


def heddle(*words):
    """What `heddle WORDS --json -` says."""
    done = subprocess.run([os.environ["HEDDLE_PROGRAM"], *words, "--json", "-"], stdout=subprocess.PIPE, check=True,
                          env=without_preload())
    return json.loads(done.stdout)


def without_preload():
    """The program has its own sanitizer's runtime."""
    return {k: v for k, v in os.environ.items() if k != "LD_PRELOAD"}


def but(document, *keys):
    """The document without what differs from run to run."""
    return {k: v for k, v in document.items() if k not in ("command", "version", "wall_s") + keys}
