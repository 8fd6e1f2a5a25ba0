# The front door.  CMake and Ninja do the work; this file only names what people want done.
#
#   make            build/heddle, optimised
#   make run        a figure of each of the five papers: tables, and charts in out/report.html
#   make test       build and run all tests
#   make help       everything else

PREFIX  ?= /usr/local
DESTDIR ?=
# As many at once as `make -jN` says, or else as there are processors.  Looked at when a recipe runs:
# before that, make does not tell.
JOBS    ?= $(or $(patsubst -j%,%,$(filter -j%,$(MAKEFLAGS))),$(shell nproc 2>/dev/null || echo 2))

export JOBS

# $(call configure,PRESET,SETUP-PROFILE): packages first, then cmake.  The prefix is given every
# time because the program knows where its installed data files are.
define configure
	@scripts/setup.sh $(2)
	@cmake --preset $(1) -DCMAKE_INSTALL_PREFIX='$(PREFIX)' >/dev/null
endef

.PHONY: all help dev native debug run test asan bench check-full fuzz format lint analyze coverage \
        registers install clean

all:
	$(call configure,release,build)
	@cmake --build build -j $(JOBS)

help:
	@echo 'make             build build/heddle (release); -jN: with N processors'
	@echo 'make run         a figure of each of the five papers: tables, and charts in out/report.html'
	@echo 'make test        build and run all tests'
	@echo 'make bench       speed figures'
	@echo 'make check-full  the long checks'
	@echo 'make dev         optimised but not as a whole: quick to rebuild, in build-dev/'
	@echo 'make native      the same for this machine only, in build-native/'
	@echo 'make debug       unoptimised, in build-debug/'
	@echo 'make asan        build and test under ASan and UBSan, in build-asan/'
	@echo 'make fuzz        libFuzzer on every tests/fuzz/fuzz_*.c (FUZZ_SECONDS=600 each)'
	@echo 'make coverage    test coverage per folder; details in out/coverage/'
	@echo 'make lint        layering and house rules, formatting'
	@echo 'make analyze     cppcheck and clang-tidy'
	@echo 'make format      clang-format every source file'
	@echo 'make registers   renew workloads/registers.def (needs ptxas on the path)'
	@echo 'make install     DESTDIR= PREFIX=/usr/local'
	@echo 'make clean       remove build*/ and out/'

dev:
	$(call configure,dev,build)
	@cmake --build build-dev -j $(JOBS)

native:
	$(call configure,native,build)
	@cmake --build build-native -j $(JOBS)

debug:
	$(call configure,debug,build)
	@cmake --build build-debug -j $(JOBS)

run: all
	@HEDDLE=build/heddle scripts/run.sh

test:
	$(call configure,release,test)
	@cmake --build build -j $(JOBS) --target all tests
	@scripts/test.sh build

asan:
	$(call configure,asan,test)
	@cmake --build build-asan -j $(JOBS) --target all tests
	@scripts/test.sh build-asan

bench: all
	@scripts/setup.sh bench
	@HEDDLE=build/heddle scripts/bench.sh

check-full: all
	@scripts/setup.sh test
	@HEDDLE=build/heddle scripts/check-full.sh

fuzz:
	$(call configure,fuzz,fuzz)
	@cmake --build build-fuzz -j $(JOBS) --target fuzzers
	@scripts/fuzz.sh build-fuzz

coverage:
	$(call configure,coverage,coverage)
	@cmake --build build-coverage -j $(JOBS) --target all tests
	@scripts/coverage.sh build-coverage

format:
	@scripts/setup.sh analyze
	@tools/format.sh

lint: all
	@scripts/setup.sh analyze
	@tools/lint.sh build
	@tools/format.sh --check

# The debug build's compile commands, because clang-tidy does not know gcc's LTO flags.
analyze:
	$(call configure,debug,analyze)
	@cmake --build build-debug -j $(JOBS) --target version_header generated
	@tools/analyze.sh build-debug

# The assembler's registers per thread; a machine without CUDA keeps the table that is there.
registers: all
	@scripts/registers.sh build

install: all
	@DESTDIR='$(DESTDIR)' cmake --install build

clean:
	rm -rf build build-dev build-native build-debug build-asan build-coverage build-fuzz out
