# manilius: machine learning for Lua 5.4. `make` without a target lists the targets.

VERSION = 0.1.0
CC ?= cc
OBJCOPY ?= objcopy
PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
DESTDIR ?=
LUA ?= $(shell command -v lua5.4 || command -v lua54 || command -v lua || echo lua5.4)
LUA_PC := $(shell for p in lua5.4 lua-5.4 lua54 lua; do pkg-config --exists $$p 2>/dev/null && echo $$p && break; done)
LUA_CFLAGS ?= $(shell [ -n "$(LUA_PC)" ] && pkg-config --cflags $(LUA_PC))
LUA_CDIR ?= $(PREFIX)/lib/lua/5.4
LUA_LDIR ?= $(PREFIX)/share/lua/5.4

BUILD ?= build
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
WARN = -Wall -Wextra -Wmissing-prototypes -Wstrict-prototypes -Wshadow -Wconversion -Wvla -Wformat-nonliteral
OPT ?= -O2
EXTRA ?=
BASE = -std=c11 -D_GNU_SOURCE -fPIC -fvisibility=hidden -g $(WARN) $(LUA_CFLAGS) $(EXTRA)
# Strict arithmetic, since NaN has a meaning; fast math only for the hot loops of *_kernel.c. Never link with it: gcc
# would set flush-to-zero in the process of the host.
STRICT = $(OPT) $(BASE)
KERNEL = -O3 -ffast-math $(BASE)
# The linker exports only public symbols, in addition to -fvisibility, so no other name can clash with those of a host.
EXPORTS = $(if $(filter Darwin,$(shell uname -s)),,-Wl,--version-script=$(1))
# Only the binding needs unwind tables (for a Lua built as C++); debuggers have their own.
UNWIND = $(if $(filter src/lua/%,$<),,-fno-asynchronous-unwind-tables)
LIBS = -lz -lm -lpthread -ldl

# The Lua module has no C API and reads its Lua files from disk; the libraries for hosts contain both.
HOST_ONLY := $(sort $(wildcard src/host/*.c)) src/lua/embedded.c
# The prompt is a module of its own, and not part of these libraries.
PROMPT_SOURCES := $(sort $(wildcard src/lua/prompt/*.c))
SOURCES := $(filter-out $(HOST_ONLY) $(PROMPT_SOURCES),$(sort $(wildcard src/*/*.c src/*/*/*.c)))
HEADERS := $(sort $(wildcard src/*.h src/*/*.h src/*/*/*.h))
OBJECTS := $(SOURCES:src/%.c=$(BUILD)/obj/%.o)
MODULE := $(BUILD)/manilius/core.so
PROMPT_OBJECTS := $(PROMPT_SOURCES:src/%.c=$(BUILD)/obj/%.o)
PROMPT_MODULE := $(BUILD)/manilius/console.so
LIB := $(BUILD)/lib
LIB_OBJECTS := $(OBJECTS) $(HOST_ONLY:src/%.c=$(BUILD)/obj/%.o) $(BUILD)/obj/lua_sources.o
# Objects whose source is gone would still be linked by programs of the specs.
ORPHANS = $(filter-out $(LIB_OBJECTS) $(PROMPT_OBJECTS),$(wildcard $(BUILD)/obj/*.o $(BUILD)/obj/*/*.o $(BUILD)/obj/*/*/*.o))
LUA_SOURCES := $(shell find lua -name '*.lua' 2>/dev/null)

export LUA_PATH = lua/?.lua;lua/?/init.lua;rockspec/?.lua;;
export LUA_CPATH = $(BUILD)/?.so;;

.PHONY: help all modules lib amalgamation demo test deps bench bench-deps repl lint hooks docs annotations golden documents check-asan check-tsan check-faults check-valgrind check-tidy check-cppcheck check-avx512 check-all fuzz force install install-files install-lib uninstall dist clean format

help:
	@echo "make demo        run the tour: from a CSV file to a cross-validated, saved model"
	@echo "make test        run the specs            (ONLY=spec/linear: some of them)"
	@echo "make all         build $(MODULE)"
	@echo "make repl        the prompt, with manilius loaded as ml"
	@echo "make bench       benchmark against other libraries   (ONLY=kmeans: one workload)"
	@echo "make bench-deps  install these libraries: from PyPI into build/venv, R packages from Debian"
	@echo "make lint        formatting, luacheck, project rules"
	@echo "make hooks       let git check commit subjects"
	@echo "make check-asan  run the specs under AddressSanitizer and UndefinedBehaviorSanitizer"
	@echo "make check-tsan  run the specs of threads under ThreadSanitizer"
	@echo "make check-faults let every allocation fail in turn, interrupt every fit (the specs do some of it)"
	@echo "make check-valgrind, check-tidy, check-cppcheck   some specs under valgrind; clang-tidy and cppcheck on all C files"
	@echo "make check-avx512 compare the AVX-512 loops with the others in the emulator Bochs (half an hour, needs Debian)"
	@echo "make fuzz        fuzz each reader   (SECONDS=30 or RUNS=10000000 for each; ONLY=csv)"
	@echo "make check-all   test, lint and all of these checks; fuzzing for 10 seconds per target"
	@echo "make lib         libmanilius.a, libmanilius.so and manilius.pc for C hosts, into $(LIB)"
	@echo "make docs        build the manual in build/docs: guide, reference, cookbook"
	@echo "make annotations regenerate the annotations for editors (rockspec/annotations)"
	@echo "make golden      create missing golden archives, one for each new estimator"
	@echo "make documents   regenerate the outputs shown in README and guide; check the diff"
	@echo "make amalgamation  one C file with its header, $(LIB)/manilius.c, for the build of a host"
	@echo "make install     install to PREFIX=$(PREFIX) (DESTDIR is honored); install-lib: the libraries; uninstall: remove both"
	@echo "make dist        create the source archive of this version, build/manilius-$(VERSION).tar.gz"
	@echo "make deps        install what building and testing need (other targets do so themselves)"
	@echo "make clean       remove build/"

all: deps-build
	@rm -f $(ORPHANS)
	@$(MAKE) --no-print-directory modules

# Without a look at installed packages: LuaRocks brings its own headers of Lua.
modules:
	@$(MAKE) --no-print-directory -s -j$(JOBS) $(MODULE) $(PROMPT_MODULE)

deps:
	@sh .ci/deps

deps-%:
	@sh .ci/deps $*

$(MODULE): $(OBJECTS) src/lua/exports.map
	@mkdir -p $(@D)
	@echo "  LD $@"
	@$(CC) -shared $(OPT) $(EXTRA) $(call EXPORTS,src/lua/exports.map) -o $@ $(OBJECTS) $(LIBS)

$(PROMPT_MODULE): $(PROMPT_OBJECTS)
	@mkdir -p $(@D)
	@echo "  LD $@"
	@$(CC) -shared $(OPT) $(EXTRA) -o $@ $(PROMPT_OBJECTS) -ldl

lib: deps-build
	@$(MAKE) --no-print-directory -j$(JOBS) $(LIB)/libmanilius.a $(LIB)/libmanilius.so $(LIB)/manilius.pc

$(BUILD)/obj/lua_sources.c: rockspec/embed.lua $(LUA_SOURCES)
	@mkdir -p $(@D)
	@$(LUA) rockspec/embed.lua $@ $(LUA_SOURCES)

$(BUILD)/obj/lua_sources.o: $(BUILD)/obj/lua_sources.c src/lua/embedded.h
	@echo "  CC $<"
	@$(CC) $(STRICT) -Isrc/lua -c $< -o $@

amalgamation: deps-build
	@$(MAKE) --no-print-directory $(LIB)/manilius.c

$(LIB)/manilius.c: rockspec/amalgamate.lua $(SOURCES) $(HOST_ONLY) $(BUILD)/obj/lua_sources.c $(HEADERS) $(wildcard src/*.def)
	@mkdir -p $(@D)
	@cp src/manilius.h $(@D)
	@$(LUA) rockspec/amalgamate.lua $@ $(filter %.c,$^)

$(LIB)/libmanilius.a: $(LIB_OBJECTS)
	@mkdir -p $(@D)
	@echo "  AR $@"
	@rm -f $@
	@$(AR) rcs $@ $(LIB_OBJECTS)

# Lua comes from the host. Its symbols are weak, so that a host without Lua links, too.
$(LIB)/libmanilius.so: $(LIB_OBJECTS) src/host/exports.map
	@mkdir -p $(@D)
	@echo "  LD $@"
	@$(CC) -r -nostdlib -o $(LIB)/all.o $(LIB_OBJECTS)
	@$(OBJCOPY) --wildcard --weaken-symbol='lua_*' --weaken-symbol='luaL_*' $(LIB)/all.o
	@$(CC) -shared $(OPT) $(EXTRA) $(call EXPORTS,src/host/exports.map) -Wl,-soname,libmanilius.so.0 -o $@ $(LIB)/all.o $(LIBS)
	@rm $(LIB)/all.o

# Always rebuilt, since PREFIX may have changed.
$(LIB)/manilius.pc: force
	@mkdir -p $(@D)
	@printf '%s\n' 'prefix=$(PREFIX)' 'libdir=$${prefix}/lib' 'includedir=$${prefix}/include' '' 'Name: manilius' \
	  'Description: machine learning for Lua 5.4 and for C' 'Version: $(VERSION)' 'Libs: -L$${libdir} -lmanilius' \
	  'Libs.private: $(LIBS)' 'Cflags: -I$${includedir}' >$@

$(BUILD)/obj/%_kernel.o: src/%_kernel.c
	@mkdir -p $(@D)
	@echo "  CC $<"
	@$(CC) $(KERNEL) $(UNWIND) -MMD -MP -c $< -o $@

$(BUILD)/obj/%.o: src/%.c
	@mkdir -p $(@D)
	@echo "  CC $<"
	@$(CC) $(STRICT) $(UNWIND) -MMD -MP -c $< -o $@

$(BUILD)/obj/model/registry.o: src/estimators.def

-include $(LIB_OBJECTS:.o=.d) $(PROMPT_OBJECTS:.o=.d)

demo: all
	@mkdir -p build/demo
	@$(LUA) examples/tour.lua

test: deps-test all
	@COLUMNS=80 LUA=$(LUA) JOBS=$(JOBS) $(if $(ONLY),busted --lua=$(LUA) $(ONLY),sh spec/run)

repl: all
	@$(LUA) src/lua/prompt/manilius.lua

lint: deps-test
	@LUA=$(LUA) sh .ci/lint

hooks:
	@git config core.hooksPath .ci/hooks

# The interpreter is not built with the sanitizer, so its runtime is preloaded. Leaks are detected by the specs (live
# bytes) instead, since the interpreter's own would hide them.
check-asan: deps-build deps-test
	@$(MAKE) --no-print-directory -j$(JOBS) BUILD=build/asan OPT=-O1 EXTRA="-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer" build/asan/manilius/core.so build/asan/manilius/console.so
	@PRELOAD="$$($(CC) -print-file-name=libasan.so) $$($(CC) -print-file-name=libubsan.so)" LUA=$(LUA) JOBS=$(JOBS) ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1 \
	  LUA_CPATH="build/asan/?.so;;" MANILIUS_SANITIZER=1 COLUMNS=80 MANILIUS_BUILD=build/asan MANILIUS_HOST_FLAGS="-fsanitize=address,undefined" sh spec/run $(ONLY)

# The hosts that these specs compile and the module that they load are instrumented, but not busted itself. With ONLY the
# module is loaded into the interpreter, so the runtime of the sanitizer is preloaded.
check-tsan: deps-build deps-test
	@$(MAKE) --no-print-directory -j$(JOBS) BUILD=build/tsan OPT=-O1 EXTRA="-fsanitize=thread -fno-omit-frame-pointer" build/tsan/manilius/core.so
	@LUA_CPATH="build/tsan/?.so;;" MANILIUS_SANITIZER=1 COLUMNS=80 MANILIUS_BUILD=build/tsan MANILIUS_HOST_FLAGS=-fsanitize=thread \
	  TSAN_OPTIONS="halt_on_error=1 second_deadlock_stack=1 suppressions=spec/lua/tsan.supp" \
	  $(if $(ONLY),LD_PRELOAD=$$($(CC) -print-file-name=libtsan.so) setarch -R $(LUA) $$(command -v busted) $(ONLY), \
	  busted --lua=$(LUA) spec/lua/threads_spec.lua spec/lua/allocator_spec.lua)

# All cases that the specs only sample.
check-faults: deps-test all
	@MANILIUS_EXHAUSTIVE=1 MANILIUS_COUNT=1 COLUMNS=80 busted --lua=$(LUA) $(or $(ONLY),spec/conformance_spec.lua spec/lua/failing_spec.lua spec/lua/stopping_spec.lua spec/lua/interrupt_spec.lua spec/lua/reachable_spec.lua spec/lua/exit_spec.lua spec/tree/chain_spec.lua spec/export/export_spec.lua spec/fuzz/replay_spec.lua spec/host/host_spec.lua)

# Memory errors in a reduced set of specs, including Lua. Leaks are detected by the specs themselves.
VALGRIND_SPECS = spec/model/archive_spec.lua spec/model/param_spec.lua spec/compose/pipeline_spec.lua spec/io/io_spec.lua spec/linear/ridge_spec.lua spec/cluster \
  spec/neighbors/kneighbors_spec.lua spec/neighbors/nearest_centroid_spec.lua spec/preprocess/values_spec.lua spec/lua/matrix_spec.lua spec/lua/memory_spec.lua spec/lua/sparse_spec.lua spec/tree/quantized_trees_spec.lua spec/glm/glm_spec.lua
check-valgrind: deps-test deps-valgrind all
	@COLUMNS=80 MANILIUS_SANITIZER=1 valgrind -q --error-exitcode=9 --leak-check=no $(LUA) "$$(command -v busted)" --ignore-lua --lua=$(LUA) $(or $(ONLY),$(VALGRIND_SPECS))

# .clang-tidy lists the enabled checks and the reasons for the others.
check-tidy: deps-build deps-tidy
	@printf '%s\n' $(or $(ONLY),$(SOURCES) $(HOST_ONLY) $(PROMPT_SOURCES)) | xargs -P $(JOBS) -I{} clang-tidy -quiet {} -- -std=c11 -D_GNU_SOURCE $(LUA_CFLAGS) 2>/dev/null
	@echo "clang-tidy: no findings"

check-cppcheck: deps-build deps-cppcheck
	@cppcheck --enable=warning,performance,portability --std=c11 --inline-suppr -q -j$(JOBS) --error-exitcode=1 -D__x86_64__ -DMN_ESTIMATOR= -I src $(or $(ONLY),src)
	@echo "cppcheck: no findings"

# For machines without AVX-512: runs its loops in an emulator.
check-avx512: deps-test deps-avx512 all
	@mkdir -p build/avx512
	@LUA=$(LUA) sh spec/avx512/boot 'lua5.4 spec/lua/cpu.lua' >build/avx512/printed
	@head -1 build/avx512/printed | grep avx512
	@MANILIUS_AVX512=build/avx512/printed COLUMNS=80 busted --lua=$(LUA) spec/lua/cpu_spec.lua

check-all:
	@for target in test lint check-asan check-tsan check-faults check-valgrind check-cppcheck check-tidy; do \
	  echo "== make $$target"; $(MAKE) --no-print-directory $$target ONLY= || exit 1; done
	@echo "== make fuzz"; $(MAKE) --no-print-directory fuzz ONLY= SECONDS=$(or $(SECONDS),10)

# Runs each target of spec/fuzz with its corpus under libFuzzer, for SECONDS=60 or RUNS=10000000 each; ONLY="csv npy":
# some of them. Failures are in build/fuzz/found. Chunks are small, so that short inputs have many.
FUZZ_TARGETS := $(patsubst spec/fuzz/fuzz_%.c,%,$(sort $(wildcard spec/fuzz/fuzz_*.c)))
CORE_OBJECTS := $(patsubst src/%.c,$(BUILD)/obj/%.o,$(filter-out src/lua/%,$(SOURCES)))

fuzz: deps-build deps-fuzz
	@$(MAKE) --no-print-directory -j$(JOBS) BUILD=build/fuzz CC=clang OPT=-O1 LUA_CFLAGS= EXTRA="-fsanitize=fuzzer-no-link,address,undefined,float-cast-overflow \
	  -fno-sanitize-recover=undefined,float-cast-overflow -fno-omit-frame-pointer -Wno-pass-failed -DMN_CSV_CHUNK=64 -DMN_SVMLIGHT_CHUNK=48" \
	  $(addprefix build/fuzz/fuzz_,$(or $(ONLY),$(FUZZ_TARGETS)))
	@RUNS="$(RUNS)" TIME="$(SECONDS)" sh spec/fuzz/run $(or $(ONLY),$(FUZZ_TARGETS))

# A target may have further files: fuzz_archive.c has archive_mutate.c.
$(BUILD)/fuzz_%: spec/fuzz/fuzz_%.c $(wildcard spec/fuzz/*_*.[ch]) $(CORE_OBJECTS)
	@echo "  LD $@"
	@$(CC) $(OPT) -std=c11 -D_GNU_SOURCE -g $(WARN) $(EXTRA) -fsanitize=fuzzer -o $@ $< $(wildcard spec/fuzz/$*_*.c) $(CORE_OBJECTS) $(LIBS)

bench: all
	@$(LUA) spec/bench/run.lua $(ONLY)

bench-deps: deps-build
	@sh spec/bench/deps

docs: deps-docs all
	@BUILD=$(BUILD) $(LUA) rockspec/manual/make.lua build/docs

# Annotations for editors, generated from the help tables, and committed.
annotations: all
	@rm -f rockspec/annotations/*.lua
	@$(LUA) rockspec/manual/annotations.lua rockspec/annotations

golden: all
	@$(LUA) spec/fixtures/golden/make.lua $(ONLY)

# The outputs below the code in README and guide.
documents: all
	@mkdir -p $(BUILD)/demo
	@mkdir -p build/demo
	@COLUMNS=80 $(LUA) rockspec/manual/update.lua README.md examples/guide/*.md

format:
	@clang-format -i $(HEADERS) $(SOURCES) $(HOST_ONLY) $(PROMPT_SOURCES) $(wildcard examples/host/*.c)

install: all
	@$(MAKE) --no-print-directory install-files

install-files: $(MODULE) $(PROMPT_MODULE)
	install -d $(DESTDIR)$(LUA_CDIR)/manilius $(DESTDIR)$(LUA_LDIR)
	install -m 755 $(MODULE) $(PROMPT_MODULE) $(DESTDIR)$(LUA_CDIR)/manilius
	cd lua && find manilius -name '*.lua' -exec install -D -m 644 {} $(DESTDIR)$(LUA_LDIR)/{} \;
	install -d $(DESTDIR)$(LUA_LDIR)/manilius/library
	install -m 644 rockspec/annotations/*.lua $(DESTDIR)$(LUA_LDIR)/manilius/library
	install -d $(DESTDIR)$(BINDIR)
	{ printf '#!%s\n' '$(shell command -v $(LUA) || echo $(LUA))'; \
	  echo 'package.path = "$(LUA_LDIR)/?.lua;$(LUA_LDIR)/?/init.lua;" .. package.path'; \
	  echo 'package.cpath = "$(LUA_CDIR)/?.so;" .. package.cpath'; \
	  tail -n +2 src/lua/prompt/manilius.lua; } >$(DESTDIR)$(BINDIR)/manilius
	chmod 755 $(DESTDIR)$(BINDIR)/manilius

install-lib: lib
	install -d $(DESTDIR)$(PREFIX)/lib/pkgconfig $(DESTDIR)$(PREFIX)/include
	install -m 644 $(LIB)/libmanilius.a $(DESTDIR)$(PREFIX)/lib
	install -m 755 $(LIB)/libmanilius.so $(DESTDIR)$(PREFIX)/lib/libmanilius.so.0
	ln -sf libmanilius.so.0 $(DESTDIR)$(PREFIX)/lib/libmanilius.so
	install -m 644 $(LIB)/manilius.pc $(DESTDIR)$(PREFIX)/lib/pkgconfig
	install -m 644 src/manilius.h $(DESTDIR)$(PREFIX)/include

uninstall:
	rm -f $(DESTDIR)$(LUA_CDIR)/manilius/core.so $(DESTDIR)$(LUA_CDIR)/manilius/console.so $(DESTDIR)$(BINDIR)/manilius
	-rmdir $(DESTDIR)$(LUA_CDIR)/manilius 2>/dev/null
	rm -rf $(DESTDIR)$(LUA_LDIR)/manilius
	rm -f $(DESTDIR)$(PREFIX)/lib/libmanilius.a $(DESTDIR)$(PREFIX)/lib/libmanilius.so $(DESTDIR)$(PREFIX)/lib/libmanilius.so.0
	rm -f $(DESTDIR)$(PREFIX)/lib/pkgconfig/manilius.pc $(DESTDIR)$(PREFIX)/include/manilius.h

# The source archive of a release. Without git (in an unpacked archive) the directory is packed again.
DIST = manilius-$(VERSION)
dist:
	@mkdir -p build
	@if git rev-parse --git-dir >/dev/null 2>&1; then \
	  git archive --format=tar --prefix=$(DIST)/ HEAD | gzip -9n >build/$(DIST).tar.gz; \
	else \
	  tar --exclude=./build --transform='s,^\.,$(DIST),' -cf - . | gzip -9n >build/$(DIST).tar.gz; \
	fi
	@echo "build/$(DIST).tar.gz"

clean:
	rm -rf build
