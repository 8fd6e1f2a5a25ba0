"""python3 -m tally FILE - runs the tests of a file and adds their count to the tally, as tests/check.h does."""
import importlib.util
import os
import sys
import unittest


def main(path):
    spec = importlib.util.spec_from_file_location(os.path.splitext(os.path.basename(path))[0], path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    suite = unittest.defaultTestLoader.loadTestsFromModule(module)
    result = unittest.TextTestRunner(verbosity=2).run(suite)
    bad = len(result.failures) + len(result.errors) + len(result.unexpectedSuccesses)
    tally = os.environ.get("HEDDLE_TEST_TALLY")
    if tally:
        with open(tally, "a") as f:
            f.write("%s %d %d\n" % (os.environ.get("HEDDLE_TEST_NAME", path),
                                    result.testsRun - bad - len(result.skipped), bad))
    return bad > 0 or result.testsRun == 0


sys.exit(main(sys.argv[1]))
