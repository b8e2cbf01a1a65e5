--- Runs the fuzz targets of this build on the committed inputs (spec/fuzz/corpus), which include former failures, and
-- on golden archives with each byte changed and truncated everywhere, with a valid checksum (a sample: long ones every
-- few bytes).
local host = require "spec.lua.host"
local support = require "spec.support"

local build = os.getenv "MANILIUS_BUILD" or "build"

local function lines(command)
   local out = {}
   local pipe = assert(io.popen(command))
   for line in pipe:lines() do out[#out + 1] = line end
   pipe:close()
   return out
end

local flags = "-O1 -g -std=c11 -D_GNU_SOURCE -DMN_CSV_CHUNK=64 -DMN_SVMLIGHT_CHUNK=48 "
   .. (os.getenv "MANILIUS_HOST_FLAGS" or "")

local function must(command)
   local ok, text = host.run("LD_PRELOAD= " .. command)
   assert(ok, text)
end

-- A library of the core. Readers that work in chunks are compiled again with small chunks.
local function make_library()
   local folder, objects = os.tmpname(), {}
   os.remove(folder)
   must("mkdir " .. folder)
   must(("cc %s -c src/io/csv_chunks.c -o %s/csv_chunks.o"):format(flags, folder))
   must(("cc %s -c src/io/svmlight_read.c -o %s/svmlight_read.o"):format(flags, folder))
   for _, path in ipairs(lines("ls " .. build .. "/obj/*/*.o")) do
      local other = path:find "/obj/lua/" or path:find "/obj/host/" or path:find "/obj/prompt/"
         or path:find "csv_chunks" or path:find "svmlight_read"
      if not other then objects[#objects + 1] = path end
   end
   must(("ar rcs %s/core.a %s/*.o %s"):format(folder, folder, table.concat(objects, " ")))
   return folder
end

local function compile(target, folder)
   local program = os.tmpname()
   local parts = table.concat(lines(("ls spec/fuzz/%s_*.c 2>/dev/null"):format(target)), " ")
   must(("cc %s -o %s spec/fuzz/replay.c spec/fuzz/fuzz_%s.c %s %s/core.a -lz -lm -lpthread -ldl"):format(flags,
      program, target, parts, folder))
   return program
end

local function replay(program, arguments)
   local ok, text = host.run(("timeout 900 %s %s"):format(program, arguments))
   assert(ok and text:match "done\n$", "the last file fails:\n" .. text:sub(-2000))
end

local library

setup(function() library = make_library() end)
teardown(function() os.execute("rm -r " .. library) end)

for _, source in ipairs(lines "ls spec/fuzz/fuzz_*.c") do
   local target = source:match "fuzz_(%w+)%.c"
   describe("the fuzz target " .. target, function()
      local program
      lazy_setup(function() program = compile(target, library) end)
      lazy_teardown(function() os.remove(program) end)

      it("has no failures in its corpus", function()
         local corpus = ("spec/fuzz/corpus/%s/*"):format(target)
         assert.is_true(#lines("ls " .. corpus) > 0, corpus)
         replay(program, corpus)
      end)

      if target == "archive" then
         it("has no failures in damaged golden archives", function()
            assert.is_true(#lines "ls spec/fixtures/golden/*/*.mn" > 0)
            replay(program, (support.exhaustive and "-damage" or "-sample") .. " spec/fixtures/golden/*/*.mn")
         end)
      end
   end)
end
