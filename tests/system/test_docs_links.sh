#!/bin/bash
# Every relative link in the documents leads to a file that is there, and to a heading of it; every page of
# docs/ is reached from the README.
set -u

python3 - "$HEDDLE_SOURCE" <<'EOF'
import glob, os, re, sys
source = sys.argv[1]
pages = glob.glob(source + "/*.md") + glob.glob(source + "/docs/**/*.md", recursive=True)
pages += glob.glob(source + "/reference/*.md")
wrong, links, leads = 0, 0, {}

def text_of(path):
    return re.sub(r"^```.*?^```$", "", open(path).read(), flags=re.M | re.S)

def anchors(path):
    """What GitHub makes of headings: lower case, no punctuation, dashes for blanks; a number for repetitions."""
    seen, names = {}, set()
    for head in re.findall(r"^#+ (.*)$", text_of(path), flags=re.M):
        head = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", head)
        name = re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-")
        n = seen[name] = seen.get(name, -1) + 1
        names.add(name + ("-%d" % n if n else ""))
    return names

for page in pages:
    for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "", text_of(page))):
        if re.match(r"[a-z]+:", target):
            continue
        links += 1
        file, _, anchor = target.partition("#")
        path = os.path.normpath(os.path.join(os.path.dirname(page), file)) if file else page
        leads.setdefault(page, set()).add(path)
        if not os.path.exists(path) or anchor and anchor not in anchors(path):
            wrong += 1
            print("%s: nothing at %s" % (os.path.relpath(page, source), target))

reached, ways = set(), [source + "/README.md"]
while ways:
    page = ways.pop()
    if page not in reached:
        reached.add(page)
        ways += leads.get(page, ())
for page in pages:
    if page.startswith(source + "/docs/") and page not in reached:
        wrong += 1
        print("%s: no link leads there" % os.path.relpath(page, source))
print("%d links in %d pages, %d wrong" % (links, len(pages), wrong))
sys.exit(wrong > 0 or links == 0)
EOF
