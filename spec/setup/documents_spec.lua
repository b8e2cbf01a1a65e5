--- What the documents show is what happens.

local documents = require "manual.documents"
local guide = require "manual.guide"

local read = documents.read

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

--- The first fenced block of a language.
local function block(page, language)
   for _, one in ipairs(documents.blocks(page)) do
      if one.language == language then return one.text end
   end
   error("no block of " .. language)
end

local function shows_what_it_prints(path)
   local programs = documents.programs(read(path))
   assert.is_true(#programs > 0)
   local outputs = documents.outputs(programs, path)
   for i, program in ipairs(programs) do
      assert.equal(program.shown, outputs[i], ("%s:%d prints something else"):format(path, program.line))
   end
end

local function names_real_targets(path)
   local makefile = read "Makefile"
   for target in read(path):gmatch "[\n`]make ([%l%d-]+)" do
      assert(makefile:find("\n" .. target .. ":", 1, true), ("%s: no target %s"):format(path, target))
   end
end

--- Code in the text of a page, without its blocks.
local function inline_code(page)
   local list, is_open = {}, false
   for line in page:gmatch "[^\n]+" do
      if line:find "^```" then is_open = not is_open end
      if not is_open then
         for code in line:gmatch "`([^`]+)`" do list[#list + 1] = code end
      end
   end
   return list
end

describe("README.md", function()
   it("shows what its programs print", function() shows_what_it_prints "README.md" end)
   it("names make targets that there are", function() names_real_targets "README.md" end)
end)

describe("the guide", function()
   local pages = {}
   for i, page in ipairs(guide.pages()) do pages[i] = ("%s/%s.md"):format(guide.folder, page.name) end

   it("has every page in its table of contents", function()
      local listed = {}
      for _, path in ipairs(pages) do listed[path] = true end
      local _, files = run(("ls %s/*.md"):format(guide.folder))
      for path in files:gmatch "[^\n]+" do assert(listed[path], path .. " is not in contents.txt") end
   end)

   for _, path in ipairs(pages) do
      it("shows what its programs print: " .. path, function()
         assert(run "mkdir -p build/demo")
         shows_what_it_prints(path)
      end)

      it("names nothing that there is not: " .. path, function()
         local ml = require "manilius"
         names_real_targets(path)
         for _, code in ipairs(inline_code(read(path))) do
            local name = code:match "^ml%.([%w_.]+)"
            if name then
               local value = ml
               for part in name:gmatch "[^.]+" do value = value[part] end
               assert(value ~= nil, code)
               assert(load("return " .. code, "=" .. code))
            end
         end
      end)
   end

   it("lists all packages that building and running need", function()
      local page, count = read "examples/guide/install.md", 0
      for package in read ".ci/deps":gmatch "\nneed build (%S+)" do
         assert(page:find("%f[%w-]" .. package:gsub("%p", "%%%0") .. "%f[^%w-]"), package .. " is not in install.md")
         count = count + 1
      end
      assert.is_true(count > 8)
   end)

   it("lists all estimators that learn from batches", function()
      local core, page = require "manilius.core", read "examples/guide/streams.md"
      local listed, count = page:match "\n## Estimators\n(.-)\n## ", 0
      local refused = page:match "continues, except in ([^.]+), because"
      local X, labels, y = { { 1 }, { 2 }, { 4 } }, { "a", "b", "a" }, { 1, 2, 3 }
      for _, name in ipairs((core.class_names())) do
         local class = core.describe(name)
         if class.can.partial_fit then
            count = count + 1
            assert(listed:find("%f[%w]" .. name .. "%f[%W]"), name .. " is not in streams.md")
            local target = class.does.classify and labels or class.does.regress and y or nil
            local params = name:find "KMeans$" and { n_clusters = 2 } or {}
            local model = core.constructors[name](params):fit(X, target)
            assert.equal(refused:find(name, 1, true) == nil, (pcall(model.partial_fit, model, X, target)), name)
         end
      end
      assert.is_true(count > 10)
   end)

   it("gives only parameters that the estimators have", function()
      local core, count = require "manilius.core", 0
      for _, page in ipairs { "from-scikit-learn", "from-r" } do
         local code = table.concat(inline_code(read(("%s/%s.md"):format(guide.folder, page))), "\n")
         for name, settings in code:gmatch "ml%.(%u%w+) (%b{})" do
            local class = core.constructors[name] and core.describe(name)
            local has = { formula = true, class_weight = true }
            for _, p in ipairs(class and class.params or {}) do has[p.name] = true end
            for key in settings:sub(2, -2):gsub("%b{}", ""):gsub('%b""', ""):gmatch "([%w_]+) =" do
               assert(not class or has[key], ("%s.md: %s has no parameter %s"):format(page, name, key))
               count = count + 1
            end
         end
      end
      assert.is_true(count > 15)
   end)

   it("gives parameters of gradient boosting that there are", function()
      local core, has, count = require "manilius.core", { class_weight = true, export_xgboost = true, fit = true }, 0
      for _, p in ipairs(core.describe "HistGradientBoostingClassifier".params) do has[p.name] = true end
      local page = read "examples/guide/from-scikit-learn.md"
      local rows = page:match "| XGBoost | LightGBM | manilius |\n[^\n]+\n(.-)\n\n"
      for cell in (rows .. "\n"):gmatch "| ([^|]+) |\n" do
         local name = cell:match "^`model:([%w_]+)" or cell:match "^`([%w_]+)"
         assert(has[name], name)
         count = count + 1
      end
      assert.is_true(count > 10)
   end)

   -- under a sanitizer a host would have to load its runtime first
   local where = os.getenv "MANILIUS_SANITIZER" and pending or it

   where("uses a model in a C program that is built and run", function()
      local page = read "examples/guide/embedding.md"
      write("build/demo/host.c", block(page, "c"))
      documents.outputs(documents.programs(page), "embedding") -- saves the model
      local ok, text = run "make --no-print-directory lib"
      assert(ok, text)
      ok, text = run("${CC:-cc} -Wall -Wextra -Werror -Isrc -o build/demo/host build/demo/host.c "
         .. "build/lib/libmanilius.a -lz -lm -lpthread -ldl && build/demo/host")
      assert(ok, text)
      local blocks = documents.blocks(page)
      for i, one in ipairs(blocks) do
         if one.language == "c" then assert.equal(blocks[i + 1].text, text) end
      end
   end)
end)

-- Without a sanitizer, manual_spec runs all examples: `make docs` fails if one of them does.
describe("examples", function()
   if not os.getenv "MANILIUS_SANITIZER" then return end
   local list = assert(io.popen "ls examples/*.lua")
   for path in list:lines() do
      it("run from start to end: " .. path, function()
         assert.is_true(#documents.printed(read(path), "@" .. path) > 0)
      end)
   end
   list:close()
end)

describe("CONTRIBUTING.md", function()
   -- under a sanitizer a second build would take minutes and prove nothing new
   local where = os.getenv "MANILIUS_SANITIZER" and pending or it

   it("names make targets that there are", function() names_real_targets "CONTRIBUTING.md" end)

   where("adds an estimator by one file, one line and one spec", function()
      local text = read "CONTRIBUTING.md"
      local source, spec = block(text, "c"), block(text, "lua")
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
         ok, output = run("cd " .. tree .. " && MANILIUS_ONLY=Centerer busted --lua=lua5.4 spec/conformance_spec.lua")
         assert(ok, output)
      end
   end)
end)
