--- What the documents show is what happens.

local function read(path)
   local file = assert(io.open(path))
   local text = file:read "a"
   file:close()
   return text
end

local function write(path, text)
   local file = assert(io.open(path, "w"))
   file:write(text)
   file:close()
end

local function run(command)
   local pipe = assert(io.popen(command .. " 2>&1", "r"))
   local text = pipe:read "a"
   return pipe:close(), text
end

--- The fenced blocks of a language, in order.
local function blocks(text, language)
   local found = {}
   for block in text:gmatch("```" .. language .. "\n(.-)```") do found[#found + 1] = block end
   return found
end

--- Load and run with `print` collecting what it is given.
local function printed(chunk, name)
   local lines = {}
   local env = setmetatable({
      print = function(...)
         local parts = {}
         for i = 1, select("#", ...) do parts[i] = tostring((select(i, ...))) end
         lines[#lines + 1] = table.concat(parts, "\t")
      end,
   }, { __index = _G })
   assert(load(chunk, name, "t", env))()
   return table.concat(lines, "\n")
end

describe("README.md", function()
   it("shows programs that run", function()
      local found = blocks(read "README.md", "lua")
      assert.is_true(#found > 0)
      for i, block in ipairs(found) do assert.is_true(#printed(block, "README block " .. i) > 0) end
   end)

   it("shows what they print", function()
      local text = read "README.md"
      local programs, outputs = blocks(text, "lua"), blocks(text, "text")
      assert.equal(#programs, #outputs)
      for i, program in ipairs(programs) do
         assert.equal(outputs[i], printed(program, "README block " .. i):gsub("[ \t]+\n", "\n") .. "\n")
      end
   end)

   it("names make targets that there are", function()
      local makefile = read "Makefile"
      for target in read "README.md":gmatch "[\n`]make ([%l-]+)" do
         assert(makefile:find("\n" .. target .. ":", 1, true), "no target " .. target)
      end
   end)
end)

describe("examples", function()
   local list = assert(io.popen "ls examples/*.lua")
   for path in list:lines() do
      it("run from start to end: " .. path, function()
         assert.is_true(#printed(read(path), "@" .. path) > 0)
      end)
   end
   list:close()
end)

describe("CONTRIBUTING.md", function()
   -- under a sanitizer a second build would take minutes and prove nothing new
   local where = os.getenv "MANILIUS_SANITIZER" and pending or it

   where("adds an estimator by one file, one line and one spec", function()
      local text = read "CONTRIBUTING.md"
      local source, spec = blocks(text, "c")[1], blocks(text, "lua")[1]
      local tree = "build/contributing"
      assert(run("rm -rf " .. tree .. " && mkdir -p " .. tree .. "/build && cp -a Makefile .ci src lua spec .busted "
         .. tree .. " && cp -a build/obj " .. tree .. "/build"))
      write(tree .. "/src/preprocess/centerer.c", source)
      write(tree .. "/src/estimators.def", read "src/estimators.def" .. "MN_ESTIMATOR(centerer)\n")
      write(tree .. "/spec/preprocess/centerer_spec.lua", spec)
      local only = "make --no-print-directory test ONLY=spec/preprocess/centerer_spec.lua"
      local ok, output = run("cd " .. tree .. " && " .. only)
      assert(ok, output)
      assert.matches("1 success", output)
      if io.open(tree .. "/spec/conformance_spec.lua") then
         ok, output = run("cd " .. tree .. " && busted --lua=lua5.4 --filter Centerer spec/conformance_spec.lua")
         assert(ok, output)
      end
   end)
end)
