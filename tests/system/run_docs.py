"""run_docs.py GROUP - execute every command line that the documents of a group show.

Pages are README.md, CONTRIBUTING.md, CHANGELOG.md and docs/**/*.md.  Each has an empty folder of its own,
beside a folder `heddle`, which is the checkout; its commands are run there in the order of the text:

- lines of fenced blocks that begin with `$ `, with what follows them up to the next as their output,
- lines of fenced blocks without a language whose first word is a program; what stands two blanks or more
  behind the command is a remark,
- code spans that begin with a program and have arguments: `heddle list params`.  `heddle run` alone is the
  name of a command, which has to exist.

A block with a language under a paragraph that ends in "write `NAME`:" is that file.

A command has to end with status 0.  Outputs are compared line by line after numbers, bars and the width of
blanks are taken out; a line `...` stands for any lines, a word `...` for the rest of its line.

What is not run as it stands:

- `make TARGET` is `make -n TARGET` in the checkout: targets call these tests, or what CI does anyway.
- A study that comes with heddle and runs kernels takes minutes to hours: `--list` is added, which reads the study
  and makes every configuration.  HEDDLE_CHECK_FULL=1 runs the quick form of QUICK, once.
- From a command with `pkg-config` on, a page needs an installed heddle, which is made; an instrumented build leaves
  the rest of that page out, because programs would have to be instrumented, too (as test_install.sh does).
- OTHERS are not ours to run, ELSEWHERE are run by another test.

Whatever else looks like a command is an error: it is to be written so that it can be run."""
import glob, os, re, shlex, shutil, subprocess, sys

source, build = os.environ["HEDDLE_SOURCE"], os.environ["HEDDLE_BUILD"]
full = os.environ.get("HEDDLE_CHECK_FULL")

PROGRAMS = {"heddle", "make", "clang", "cc", "sqlite3"}  # in code spans and in blocks
AT_ONCE = ("--only priced", "--only icc,HS,DCT")  # parts of studies that take seconds
QUICK = {"icc", "cdxbar", "sharing", "coalesce", "intra", "tour"}  # studies whose quick form takes minutes
OTHERS = {
    "ctest": "would run the tests that run this one",
    "ptxas": "NVIDIA's assembler, which no test may need",
    "valgrind": "counts instructions: minutes, and makes no statement that could be wrong",
    "python3": "tests/python runs the package, the Python of its page and its examples",
    "objdump": "shows machine code, which differs from compiler to compiler",
}
ELSEWHERE = {
    "docs/adding.md": "its parts are not in the program: tests/system/test_adding.sh builds one that has them",
}
# Pages of each group; `rest` are those that no other group has, so that none can be forgotten.
GROUPS = {
    "tour": ["docs/tour.md"],
    "studies": ["docs/studies.md", "docs/cluster.md"],
    "model": sorted(os.path.relpath(p, source) for p in glob.glob(source + "/docs/model/*.md")),
}


class Step:
    """A command with its place, the output shown (None: none is), and whether it is a code span."""

    def __init__(self, line, command, shown=None, span=False):
        self.line, self.command, self.shown, self.span = line, command, shown, span


class File:
    def __init__(self, line, name, text):
        self.line, self.name, self.text = line, name, text


# --- what a page has ------------------------------------------------------------------------------


def first_word(text):
    words = [w for w in text.split() if not re.match(r"[A-Z_]+=", w)]
    return words[0] if words else ""


def is_program(text):
    word = first_word(text)
    return word in PROGRAMS or word in OTHERS or word.startswith("build/") or \
        re.fullmatch(r"\w+", word) is not None and shutil.which(word) is not None


def joined(lines):
    """Lines with those that end in a backslash joined to the next; (offset, text) of each."""
    out, begin, text = [], 0, ""
    for i, line in enumerate(lines):
        if not text:
            begin = i
        if line.endswith("\\"):
            text += line[:-1].strip() + " "
            continue
        out.append((begin, text + (line.strip() if text else line)))
        text = ""
    return out


def transcript(line, lines):
    steps = []
    for i, text in joined(lines):
        if text.startswith("$ "):
            steps.append(Step(line + i, text[2:], []))
        elif steps:
            steps[-1].shown.append(text)
        else:
            raise SystemExit("output before its command, line %d" % (line + i))
    for s in steps:
        while s.shown and not s.shown[-1].strip():
            s.shown.pop()
        s.shown = s.shown or None
    return steps


def block_steps(line, language, lines):
    if any(t.startswith("$ ") for t in lines):
        return transcript(line, lines)
    if language or not any(is_program(t) for t in lines if t[:1].strip()):
        return []
    steps = []
    for i, text in joined(lines):
        command = re.sub(r"\s\s+.*", "", text)
        if not is_program(command):
            raise SystemExit("line %d: neither a command nor output of one: %s" % (line + i, text))
        steps.append(Step(line + i, command))
    return steps


def span_steps(line, paragraph):
    """Commands in the code spans of a paragraph, which may go over the ends of lines."""
    steps = []
    for m in re.finditer(r"(`+)(.+?)\1", paragraph, flags=re.S):
        text = " ".join(m[2].split())
        if len(text.split()) > 1 and is_program(text):
            steps.append(Step(line + paragraph[: m.start()].count("\n"), text, span=True))
    return steps


def parts_of(text):
    """(line, language, text) of each paragraph and block of a page; a paragraph has no language."""
    parts, lines, i = [], text.split("\n"), 0
    while i < len(lines):
        fence = re.match(r"^```(\w*)$", lines[i])
        if fence:
            end = lines.index("```", i + 1)
            parts.append((i + 2, fence[1], lines[i + 1 : end]))
        else:
            end = i
            while end < len(lines) and lines[end].strip() and not lines[end].startswith("```"):
                end += 1
            parts.append((i + 1, None, lines[i:end]))
            end -= end < len(lines) and lines[end].startswith("```")
        i = end + 1
    return parts


def page_steps(text):
    """Commands and files of a page in order."""
    steps, file = [], None
    for line, language, lines in parts_of(text):
        if language is None:
            if re.match(r"    +(\$ |(%s) )" % "|".join(sorted(PROGRAMS)), (lines or [""])[0]):
                raise SystemExit("line %d: a command in an indented block: fence it" % line)
            steps += span_steps(line, "\n".join(lines))
            named = re.search(r"[Ww]rite\s+`([\w./-]+)`[^`]*:$", "\n".join(lines))
            file = named[1] if named else file if not lines else None
        elif language and file:
            steps.append(File(line, file, "\n".join(lines) + "\n"))
        else:
            steps += block_steps(line, language, lines)
    return steps


# --- what is run ----------------------------------------------------------------------------------


def to_run(command):
    """The command as it is executed; see above."""
    words = command.split()
    if words[0] == "make":
        return "make -n -C %s %s" % (shlex.quote(source), " ".join(words[1:]))
    if words[0] == "heddle" and len(words) == 2 and not words[1].startswith("-"):
        return command + " --help"
    if words[:3] == ["heddle", "explore", "together"] and "--list" not in words:
        return command + " --list"
    if words[:2] == ["heddle", "study"] and not any(a in command for a in AT_ONCE) and "--list" not in words:
        if full and words[2] in QUICK:
            return " ".join([w for w in words if w != "--quick"] + ["--quick"])
        if os.path.exists("%s/studies/%s.yaml" % (source, words[2])):
            return command + " --list"
    return re.sub(r"(^|\s)build/", lambda m: m[1] + build + "/", command)


def blank(line):
    line = re.sub(r"(?<![^\s|])#+", "", line)
    line = re.sub(r"(?<![A-Za-z_@\d])[-+]?\d+(?:[.,]\d+)*(?:e[-+]?\d+)?[kMG]?", "N", line)
    return " ".join(line.split())


def line_fits(shown, got):
    shown, got = blank(shown), blank(got)
    return got.startswith(shown[:-4]) if shown.endswith(" ...") else shown == got


def first_difference(shown, got):
    """The first line shown that the output does not have; None: all fit."""
    groups = [[]]
    for line in shown:
        if line.strip() == "...":
            groups.append([])
        else:
            groups[-1].append(line)
    at = 0
    for g, lines in enumerate(groups):
        if g == len(groups) - 1 and g > 0 and lines:
            starts = [len(got) - len(lines)]
        elif g == 0:
            starts = [0]
        else:
            starts = range(at, len(got) - len(lines) + 1)
        best = lines[0] if lines else None
        for s in starts:
            fits = [s >= at and s + i < len(got) and line_fits(t, got[s + i]) for i, t in enumerate(lines)]
            if all(fits):
                at = s + len(lines)
                break
            if fits[0]:
                best = lines[fits.index(False)]
        else:
            return best
    return None if len(groups) > 1 or at == len(got) else "(the end: more is printed) " + got[at]


def installed():
    """Lets pkg-config find an installed heddle; False: this build cannot be used so."""
    cache = open(build + "/CMakeCache.txt").read()
    if re.search(r"^HEDDLE_(SANITIZE:.*=.|COVERAGE:.*=ON|FUZZ:.*=ON)", cache, flags=re.M):
        return False
    dest = os.path.abspath("dest")
    if not os.path.exists(dest):
        subprocess.run(["cmake", "--install", build], env={**os.environ, "DESTDIR": dest}, check=True,
                       stdout=subprocess.DEVNULL)
        lib = os.path.dirname(os.path.dirname(glob.glob(dest + "/**/heddle.pc", recursive=True)[0]))
        os.environ["PKG_CONFIG_PATH"] = lib + "/pkgconfig"
        os.environ["LD_LIBRARY_PATH"] = lib
    return True


class Page:
    def __init__(self, name, listed):
        self.name, self.listed = name, listed
        self.folder = os.path.join(os.getcwd(), re.sub(r"\W", "_", name))
        self.commands = self.outputs = self.wrong = 0
        self.over = False

    def fail(self, step, why, output=""):
        self.wrong += 1
        print("%s:%d: %s\n  %s" % (self.name, step.line, step.command, why))
        if output:
            print("  | " + "\n  | ".join(output[-25:]))

    def execute(self, step):
        if first_word(step.command) in OTHERS:
            return
        if step.span and first_word(step.command) not in PROGRAMS and "build/" not in step.command:
            return self.fail(step, "no command that this test knows (PROGRAMS, OTHERS)")
        if self.name in ELSEWHERE and first_word(step.command) == "heddle":
            return
        self.over = self.over or "pkg-config" in step.command and not installed()
        if self.over:
            return
        run = to_run(step.command)
        self.commands += 1
        if run in self.listed and not step.shown:
            return
        shell = "set -o pipefail; %s\nstatus=$?; pwd >%s; exit $status" % (run, shlex.quote(self.folder + ".pwd"))
        done = subprocess.run(["bash", "-c", shell], cwd=self.cwd, text=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        got = done.stdout.rstrip("\n").split("\n")
        if done.returncode != 0:
            return self.fail(step, "exit status %d" % done.returncode, got)
        self.cwd = open(self.folder + ".pwd").read().rstrip("\n")
        if run.startswith("heddle list ") or run.startswith("heddle ") and run != step.command:
            self.listed.add(run)  # needs nothing of the page, leaves nothing to it
        if step.shown:
            self.outputs += 1
            missing = first_difference(step.shown, got)
            if missing is not None:
                self.fail(step, "does not print: " + missing, got)

    def run(self):
        self.cwd = os.path.join(self.folder, "here")
        os.makedirs(self.cwd)
        os.symlink(source, os.path.join(self.folder, "heddle"))
        try:
            steps = page_steps(open(os.path.join(source, self.name)).read())
        except SystemExit as e:
            sys.exit("%s: %s" % (self.name, e))
        for step in steps:
            if isinstance(step, File):
                open(os.path.join(self.cwd, step.name), "w").write(step.text)
            else:
                self.execute(step)


def pages_of(group):
    names = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
    names += sorted(os.path.relpath(p, source) for p in glob.glob(source + "/docs/**/*.md", recursive=True))
    if group in GROUPS:
        return GROUPS[group]
    return [n for n in names if not any(n in pages for pages in GROUPS.values())]


def main(group):
    os.mkdir("bin")
    os.symlink(os.environ["HEDDLE"], "bin/heddle")
    clang = re.search(r"^HEDDLE_CLANG:\w+=(/.*)$", open(build + "/CMakeCache.txt").read(), flags=re.M)
    if clang:  # the one that writes PTX, whatever its name
        os.symlink(clang[1], "bin/clang")
    os.environ["PATH"] = os.path.abspath("bin") + ":" + os.environ["PATH"]
    os.environ["HEDDLE_DATA"] = source
    os.environ["LC_ALL"] = "C"
    for name in ("HEDDLE_TEST_TALLY", "MAKEFLAGS", "MFLAGS", "MAKELEVEL"):  # of the make and the test around us
        os.environ.pop(name, None)
    listed, commands, wrong = set(), 0, 0
    for name in pages_of(group):
        page = Page(name, listed)
        page.run()
        print("%s: %d commands, %d outputs" % (name, page.commands, page.outputs))
        commands += page.commands
        wrong += page.wrong
    print("%d commands executed, %d wrong" % (commands, wrong))
    sys.exit(wrong > 0 or commands == 0)


main(sys.argv[1])
