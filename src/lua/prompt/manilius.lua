#!/usr/bin/env lua5.4
-- The command `manilius`; see lua/manilius/prompt/command.lua. `make install` adds the paths of the installation.
os.exit(require "manilius.prompt.command".run(arg), true)
