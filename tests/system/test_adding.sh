#!/bin/bash
# docs/adding.md, word by word: each part is its file as printed there and its line in the registry.  All
# of them are compiled as the project is and linked with it, and the commands that the text shows are run.
set -u
export HEDDLE_DATA=$HEDDLE_SOURCE
export LC_ALL=C

cat >adding.py <<'END'
import json, os, re, shlex, subprocess, sys

source, build, here = os.environ["HEDDLE_SOURCE"], os.environ["HEDDLE_BUILD"], os.getcwd()
FEWEST = 7  # parts that the text has, so that a change of its form does not leave the test without work


def sections(text):
    """(heading, text) of each, in order."""
    parts = re.split(r"^## (.*)$", text, flags=re.M)
    return list(zip(parts[1::2], parts[2::2]))


def part_of(body):
    """The file, its content, the line and its registry that a section has; None: it has none."""
    block = re.search(r"^```c\n(.*?)^```$", body, flags=re.M | re.S)
    before = body[: block.start()] if block else ""
    file = re.search(r"`(src/[\w/]+\.c)`", before)
    line = re.search(r"`([A-Z_]+\([^`]*\))` in\s+`(src/[\w/]+\.def)`", before)
    return (file[1], block[1], line[1], line[2]) if file and line else None


def commands_of(body):
    return re.findall(r"`(heddle \w+ [^`]+)`", re.sub(r"\s+", " ", body))


def run(args, **how):
    done = subprocess.run(args, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **how)
    if done.returncode != 0:
        sys.exit("%s\n%s" % (" ".join(args), done.stdout[-3000:]))


def includers(defs):
    """Files of the project that see one of the registries, directly or through headers."""
    seen, added = set(), set(d[len("src/") :] for d in defs)
    texts = {}
    for top in ("src", "workloads"):
        for folder, _, names in os.walk(os.path.join(source, top)):
            for name in names:
                if name.endswith((".c", ".h")):
                    path = os.path.relpath(os.path.join(folder, name), source)
                    texts[path] = open(os.path.join(source, path)).read()
    while added:
        names, added = added, set()
        for path, text in texts.items():
            if path not in seen and any('#include "%s"' % n in text for n in names):
                seen.add(path)
                if path.endswith(".h"):
                    added.add(path[len("src/") :])
    return sorted(p for p in seen if p.endswith(".c"))


def compile_command(commands, path, like, out):
    """The project's own for `like`, for the copy of `path` in this folder."""
    args = shlex.split(commands[os.path.join(source, like)]["command"])
    keep, skip = [], False
    for a in args[: args.index("-c")]:
        if skip or a.startswith("-flto") or a in ("-ffat-lto-objects", "-MD"):
            skip = False
        elif a in ("-o", "-MT", "-MF"):
            skip = True
        else:
            keep.append(a.replace(os.path.join(source, "src"), os.path.join(here, "src")))
    return keep + ["-fno-lto", "-o", out, "-c", os.path.join(here, path)]


def main():
    text = open(os.path.join(source, "docs/adding.md")).read()
    found = [(head, part_of(body), commands_of(body)) for head, body in sections(text)]
    parts = [p for _, p, _ in found if p]
    if len(parts) < FEWEST:
        sys.exit("docs/adding.md: %d parts, not %d" % (len(parts), FEWEST))
    run(["cp", "-r", os.path.join(source, "src"), "src"])
    for file, content, line, registry in parts:
        if os.path.exists(file):
            sys.exit("docs/adding.md: %s is there already" % file)
        open(file, "w").write(content)
        open(registry, "a").write(line + "\n")
    commands = {os.path.normpath(os.path.join(c["directory"], c["file"])): c
                for c in json.load(open(os.path.join(build, "compile_commands.json")))}
    objects = []
    files = [(p, p) for p in includers({r for _, _, _, r in parts})]
    like = {os.path.dirname(p): p for p, _ in files}
    files += [(f, like[os.path.dirname(f)]) for f, _, _, _ in parts]
    folder = commands[os.path.join(source, files[0][1])]["directory"]
    for i, (path, model) in enumerate(files):
        objects.append(os.path.join(here, "%d.o" % i))
        run(compile_command(commands, path, model, objects[-1]), cwd=folder)
    cc = shlex.split(commands[os.path.join(source, "src/cli/main.c")]["command"])
    flags = [a for a in cc if a.startswith(("-fsanitize", "--coverage", "-fno-sanitize"))]
    compiler = [a for a in cc[: 2] if not a.startswith("-") and "ccache" not in a][:1]
    run(compiler + flags + ["-fno-lto", "-o", "heddle"] + objects
        + [os.path.join(build, "CMakeFiles/heddle.dir/src/cli/main.c.o"),
           os.path.join(build, "tests/libtest_cli.a"), os.path.join(build, "libheddle.a"),
           "-lyaml", "-lzstd", "-lsqlite3", "-lpthread", "-lm"])
    for head, part, shown in found:
        if part and not shown:
            sys.exit("docs/adding.md: %s: no command shows it" % head)
        for command in shown:
            run(["./heddle"] + shlex.split(command)[1:])
    print("%d parts" % len(parts))


main()
END
python3 adding.py || exit 1
