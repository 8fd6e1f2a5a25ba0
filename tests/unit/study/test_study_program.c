/* Programs of rows: what they are called, and what their streams follow from. */
#include "study/study_program.h"

#include "check.h"
#include "study/inputs.h"

static const struct study_program hs = {.workload = "HS", .size = "tiny"};
static const struct study_program bp = {.workload = "BP", .size = "tiny"};
static const struct study_program mine = {
    .ptx = "dir.d/my.ptx", .launch = "dir.d/l.yaml", .contents = 5};
static const struct study_program old = {.trace = "dir.d/old.hds", .contents = 5};

static void a_recordings_name_says_program_seed_and_what_it_depends_on(void)
{
    struct arena *a = arena_new();
    const char *path = study_program_stream(a, "f", &hs, 1);
    CHECK(strncmp(path, "f/HS@tiny-1-", 12) == 0);
    CHECK_EQ(strlen(path), 12 + 16 + 4);
    CHECK_STR(study_program_stream(a, "f", &hs, 1), path);
    CHECK(strncmp(study_program_stream(a, "f", &hs, 2), "f/HS@tiny-2-", 12) == 0);
    const char *other = study_program_stream(a, "f", &bp, 1);
    CHECK(strcmp(other + 12, path + 12) != 0); /* another stream, another hash */
    CHECK(strncmp(study_program_stream(a, "f", &mine, 1), "f/my-1-", 7) == 0);
    CHECK_STR(study_program_stream(a, "f", &old, 1), old.trace);
    arena_free(a);
}

static void titles_are_names_and_sizes_or_those_of_files(void)
{
    struct arena *a = arena_new();
    CHECK_STR(study_program_title(a, &hs), "HS@tiny");
    CHECK_STR(study_program_title(a, &mine), "my");
    CHECK_STR(study_program_title(a, &old), "old");
    arena_free(a);
}

static void streams_follow_from_contents_and_seed_and_recordings_from_contents(void)
{
    struct study_program edited = mine, longer = old;
    edited.contents = longer.contents = 6;
    CHECK_EQ(study_program_hash(&hs, 3), inputs_stream_hash("HS", "tiny", "", 3));
    CHECK(study_program_hash(&mine, 1) != study_program_hash(&edited, 1));
    CHECK(study_program_hash(&mine, 1) != study_program_hash(&mine, 2));
    CHECK(study_program_hash(&mine, 1) != study_program_hash(&old, 1));
    CHECK(study_program_hash(&old, 1) == study_program_hash(&old, 2));
    CHECK(study_program_hash(&old, 1) != study_program_hash(&longer, 1));
    CHECK(study_program_asked(1, &mine, 1) != study_program_asked(1, &edited, 1));
    CHECK(study_program_asked(1, &old, 1) != study_program_asked(1, &longer, 1));
    CHECK(study_program_asked(1, &hs, 1) != study_program_asked(1, &bp, 1));
    CHECK(study_program_cost(&mine) > 0 && study_program_cost(&hs) > 0);
}

CHECK_MAIN("study_program", TEST(a_recordings_name_says_program_seed_and_what_it_depends_on),
           TEST(titles_are_names_and_sizes_or_those_of_files),
           TEST(streams_follow_from_contents_and_seed_and_recordings_from_contents))
