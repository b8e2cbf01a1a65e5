# manilius: machine learning for Lua 5.4. `make` alone prints what there is.

CC ?= cc
PREFIX ?= /usr/local
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
# Strict everywhere, for NaN means something there; fast maths only in the hot loops of *_kernel.c. Never for linking:
# gcc would then set flush-to-zero in the host's process.
STRICT = $(OPT) $(BASE)
KERNEL = -O3 -ffast-math $(BASE)
# Function multi-versioning shows its symbols whatever -fvisibility says, so the linker is told what is public.
EXPORTS := $(if $(filter Darwin,$(shell uname -s)),,-Wl,--version-script=src/exports.map)
LIBS = -lz -lm -lpthread -ldl

SOURCES := $(sort $(wildcard src/*/*.c))
OBJECTS := $(SOURCES:src/%.c=$(BUILD)/obj/%.o)
MODULE := $(BUILD)/manilius/core.so
LUA_SOURCES := $(shell find lua -name '*.lua' 2>/dev/null)

export LUA_PATH = lua/?.lua;lua/?/init.lua;;
export LUA_CPATH = $(BUILD)/?.so;;

.PHONY: help all demo test deps bench bench-deps repl lint docs annotations check-asan install install-files uninstall clean format

help:
	@echo "make demo        run the tour: a CSV file to a cross-validated, saved model"
	@echo "make test        run the specs            (ONLY=spec/linear runs some of them)"
	@echo "make all         build $(MODULE)"
	@echo "make repl        a Lua prompt with manilius loaded as ml"
	@echo "make bench       time against the peers   (ONLY=kmeans runs one workload)"
	@echo "make bench-deps  bring in the peers: PyPI into build/venv, R packages from Debian"
	@echo "make lint        formatting, luacheck, house rules"
	@echo "make check-asan  the specs under AddressSanitizer and UndefinedBehaviorSanitizer"
	@echo "make docs        the manual into build/docs: guide, reference, cookbook"
	@echo "make annotations what editors know of manilius (lua/manilius/library), anew from its tables"
	@echo "make install     into PREFIX=$(PREFIX) (DESTDIR is honoured); make uninstall takes it away"
	@echo "make deps        bring in what building and testing need (the other targets do it first)"
	@echo "make clean       remove build/"

all: deps
	@$(MAKE) --no-print-directory -j$(JOBS) $(MODULE)

deps:
	@sh .ci/deps

$(MODULE): $(OBJECTS) src/exports.map
	@mkdir -p $(@D)
	@echo "  LD $@"
	@$(CC) -shared $(OPT) $(EXTRA) $(EXPORTS) -o $@ $(OBJECTS) $(LIBS)

$(BUILD)/obj/%_kernel.o: src/%_kernel.c
	@mkdir -p $(@D)
	@echo "  CC $<"
	@$(CC) $(KERNEL) -MMD -MP -c $< -o $@

$(BUILD)/obj/%.o: src/%.c
	@mkdir -p $(@D)
	@echo "  CC $<"
	@$(CC) $(STRICT) -MMD -MP -c $< -o $@

$(BUILD)/obj/model/registry.o: src/estimators.def

-include $(OBJECTS:.o=.d)

demo: all
	@mkdir -p build/demo
	@$(LUA) examples/tour.lua

test: all
	@busted --lua=$(LUA) $(or $(ONLY),spec)

repl: all
	@$(LUA) -i -e 'ml = require "manilius"'

lint: deps
	@sh .ci/lint

# The interpreter is not built with the sanitizer, so its runtime is loaded first. Leaks are counted by the specs
# themselves (live bytes), since the interpreter's own would drown them.
check-asan: deps
	@$(MAKE) --no-print-directory -j$(JOBS) BUILD=build/asan OPT=-O1 EXTRA="-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer" build/asan/manilius/core.so
	@LD_PRELOAD="$$($(CC) -print-file-name=libasan.so) $$($(CC) -print-file-name=libubsan.so)" ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1 \
	  LUA_CPATH="build/asan/?.so;;" MANILIUS_SANITIZER=1 busted --lua=$(LUA) $(or $(ONLY),spec)

bench: all
	@$(LUA) spec/bench/run.lua $(ONLY)

bench-deps: deps
	@sh spec/bench/deps

docs: all
	@sh .ci/deps docs
	@BUILD=$(BUILD) $(LUA) lua/manilius/manual/make.lua build/docs

# What editors know of manilius: made from the tables of help, and committed.
annotations: all
	@$(LUA) lua/manilius/manual/annotations.lua lua/manilius/library

format:
	@clang-format -i $(wildcard src/*/*.[ch])

install: all
	@$(MAKE) --no-print-directory install-files

install-files: $(MODULE)
	install -d $(DESTDIR)$(LUA_CDIR)/manilius $(DESTDIR)$(LUA_LDIR)
	install -m 755 $(MODULE) $(DESTDIR)$(LUA_CDIR)/manilius/core.so
	cd lua && find manilius -name '*.lua' -exec install -D -m 644 {} $(DESTDIR)$(LUA_LDIR)/{} \;

uninstall:
	rm -f $(DESTDIR)$(LUA_CDIR)/manilius/core.so
	-rmdir $(DESTDIR)$(LUA_CDIR)/manilius 2>/dev/null
	rm -rf $(DESTDIR)$(LUA_LDIR)/manilius

clean:
	rm -rf build
