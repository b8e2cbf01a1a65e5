rockspec_format = "3.0"
package = "manilius"
version = "scm-1"
source = { url = "git+https://github.com/manilius/manilius.git" }
description = {
   summary = "Machine learning for Lua 5.4",
   detailed = [[A C11 core that does the numerical work, and Lua to compose models: matrices, frames, estimators with one
interface, pipelines, cross-validation, search, plots.]],
   license = "MIT",
}
dependencies = { "lua >= 5.4, < 5.5" }
build = {
   type = "make",
   build_target = "modules",
   build_variables = { LUA_CFLAGS = "-I$(LUA_INCDIR)", CFLAGS = "$(CFLAGS)" },
   install_target = "install-files",
   install_variables = { LUA_CDIR = "$(LIBDIR)", LUA_LDIR = "$(LUADIR)", BINDIR = "$(BINDIR)",
      LUA_CFLAGS = "-I$(LUA_INCDIR)" },
}
