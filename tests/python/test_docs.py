"""Every block of Python of docs/python.md, in order, as one session; what is printed is compared."""
import doctest
import os
import re
import unittest

PAGE = os.path.join(os.environ["HEDDLE_SOURCE"], "docs", "python.md")
FIRST = os.path.join(os.environ["HEDDLE_SOURCE"], "examples", "python", "first_plot.py")


def blocks():
    """(line, language, text) of each block of Python."""
    with open(PAGE) as f:
        text = f.read()
    for m in re.finditer(r"^```(python|pycon)\n(.*?)^```$", text, flags=re.S | re.M):
        yield text[:m.start()].count("\n") + 2, m[1], m[2]


def has_matplotlib():
    try:
        import matplotlib
    except ImportError:
        return False
    matplotlib.use("svg")
    return True


class Page(unittest.TestCase):
    def test_its_python_does_what_it_shows(self):
        names, sessions, failures = {}, 0, 0
        for line, language, text in blocks():
            if language == "python":
                if "plot" not in text or has_matplotlib():
                    exec(compile("\n" * (line - 1) + text, PAGE, "exec"), names)
                continue
            flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
            test = doctest.DocTestParser().get_doctest(text, names, PAGE, PAGE, line - 1)
            runner = doctest.DocTestRunner(optionflags=flags)
            runner.run(test, clear_globs=False)
            names.update(test.globs)
            failures += runner.failures
            sessions += 1
        self.assertEqual(failures, 0)
        self.assertGreater(sessions, 6)

    def test_the_plot_is_the_example(self):
        with open(FIRST) as f:
            example = f.read()
        self.assertIn(example, [text for line, language, text in blocks()])
        self.assertLessEqual(len(example.splitlines()), 10)


if __name__ == "__main__":
    unittest.main()
