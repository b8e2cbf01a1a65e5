--- C programs that embed manilius: the host examples are built and run.
local ml = require "manilius"
local support = require "spec.support"
local folder = "build/host"

local function run(command)
   local pipe = assert(io.popen("(" .. command .. ") 2>&1", "r"))
   local text = pipe:read "a"
   local ok = pipe:close()
   return ok, text
end

local function must(command)
   local ok, text = run(command)
   assert(ok, command .. "\n" .. text)
   return text
end

local LUA_HEADERS, LUA = "$(pkg-config --cflags lua5.4)", "$(pkg-config --libs lua5.4)"
-- In a file as long as the amalgamated one, gcc takes ten seconds to look at indentation.
local WARNINGS = "-Wall -Wextra -Wno-misleading-indentation -Werror -Isrc "

local function build(name, libraries, program, flags)
   must(("${CC:-cc} -std=c11 %s %s examples/host/%s.c %s -lz -lm -lpthread -ldl -o %s/%s"):format(flags or "-O1 "
      .. LUA_HEADERS, WARNINGS, name, libraries, folder, program or name))
end

local function write(name, text)
   local file = assert(io.open(folder .. "/" .. name, "w"))
   file:write(text)
   file:close()
   return folder .. "/" .. name
end

-- With a sanitizer every host would need its runtime.
local where = os.getenv "MANILIUS_SANITIZER" and pending or it

describe("a host in C", function()
   if not os.getenv "MANILIUS_SANITIZER" then
      lazy_setup(function()
         must "make --no-print-directory lib"
         must("mkdir -p " .. folder)
         for _, name in ipairs { "predict", "hot_path" } do build(name, "build/lib/libmanilius.a") end
         for _, name in ipairs { "sandbox", "four_states" } do
            build(name, "build/lib/libmanilius.a " .. LUA)
         end
      end)
   end

   where("predicts the same as Lua with a saved pipeline", function()
      local X, y = ml.read_csv("examples/data/iris.csv"):split "species"
      local model = ml.Pipeline { ml.StandardScaler {}, ml.LogisticRegression {} }:fit(X, y)
      model:save(folder .. "/iris.mn")
      local expected = {}
      local proba = model:predict_proba { { 6.3, 2.8, 5.1, 1.5 } }[1]
      for c, label in ipairs { "setosa", "versicolor", "virginica" } do
         expected[c] = ("%s %.6f\n"):format(label, proba[c])
      end
      assert.equal(table.concat(expected), must(folder .. "/predict " .. folder .. "/iris.mn 6.3 2.8 5.1 1.5"))
   end)

   where("builds from the single amalgamated file, with and without Lua", function()
      must "make --no-print-directory amalgamation"
      build("predict", "build/lib/manilius.c", "predict_alone", "-O0 -DMANILIUS_NO_LUA -rdynamic")
      local row = " " .. folder .. "/iris.mn 6.3 2.8 5.1 1.5"
      assert.equal(must(folder .. "/predict" .. row), must(folder .. "/predict_alone" .. row))
      local names = must("nm -D --defined-only " .. folder .. "/predict_alone")
      assert.matches(" manilius_predict\n", names)
      assert.is_nil(names:find " mn_") -- hidden without compiler flags
      -- The compiler above has made code of all this but the binding.
      if not support.exhaustive then
         must("${CC:-cc} -std=c11 -fsyntax-only " .. WARNINGS .. LUA_HEADERS .. " build/lib/manilius.c")
         return
      end
      build("sandbox", "build/lib/manilius.c " .. LUA, "sandbox_alone", "-O0 " .. LUA_HEADERS)
      local script = write("fit.lua", "local m = ml.Ridge { alpha = 0 }:fit({ { 1 }, { 2 }, { 4 } }, { 3, 5, 9 })\n"
         .. "print(m:predict { { 10 } }[1])")
      assert.matches("21.0", must(folder .. "/sandbox_alone " .. script))
   end)

   where("accepts factor levels and missing values through a ColumnTransformer", function()
      local frame = ml.parse_csv "age,city,price\n31,Oslo,10\n40,Bergen,20\n,Oslo,12\n50,Bergen,26\n22,Voss,7\n"
      local columns = ml.ColumnTransformer {
         { "age", ml.Pipeline { ml.SimpleImputer {}, ml.StandardScaler {} }, { "age" } },
         { "city", ml.OneHotEncoder { handle_unknown = "ignore" }, { "city" } },
      }
      local X, y = frame:split "price"
      local model = ml.Pipeline { columns, ml.Ridge {} }:fit(X, y)
      model:save(folder .. "/price.mn")
      for _, row in ipairs { { age = 35, city = "Voss" }, { city = "Oslo" }, { age = 28, city = "Paris" } } do
         local printed = must(("%s/predict %s/price.mn '%s' %s"):format(folder, folder, row.age or "", row.city))
         assert.near(model:predict(row)[1], tonumber(printed), 1e-8)
      end
   end)

   where("reports errors", function()
      local ok, text = run(folder .. "/predict " .. folder .. "/iris.mn 1 2 3")
      assert.is_nil(ok)
      assert.equal("expected 4 values, got 3\n", text)
      ok, text = run(folder .. "/predict " .. folder .. "/iris.mn 1 2 3 nan")
      assert.is_nil(ok)
      assert.matches("must be finite, got nan in row 1, column 4", text)
      ok, text = run(folder .. "/predict examples/data/iris.csv 1")
      assert.is_nil(ok)
      assert.matches("^examples/data/iris.csv: ", text)
      ok, text = run(folder .. "/predict no/such.mn 1")
      assert.is_nil(ok)
      assert.matches("^no/such.mn: ", text)
      ml.Ridge {}:save(folder .. "/unfitted.mn")
      ok, text = run(folder .. "/predict " .. folder .. "/unfitted.mn 1")
      assert.is_nil(ok)
      assert.matches("the model is not fitted", text)
   end)

   where("allocates nothing when predicting row by row", function()
      local X = ml.normal(100, 5, 1)
      local model = ml.Ridge {}:fit(X, X:sum "rows")
      model:save(folder .. "/line.mn")
      local printed, sum = must(folder .. "/hot_path " .. folder .. "/line.mn 999"), 0
      -- Row i holds i, i + 1, ... modulo 10. The first row is predicted once more before allocations are counted.
      for i = -1, 998 do
         local row = {}
         for j = 0, 4 do row[j + 1] = (math.max(i, 0) + j) % 10 end
         sum = sum + model:predict { row }[1]
      end
      assert.near(sum, tonumber(printed:match "sum (%S+)"), 1e-6)
      assert.equal("0", printed:match "allocations (%d+)")
   end)

   where("runs a script in a sandbox with limited memory and instructions", function()
      local script = write("good.lua", [[
         local X = ml.normal(500, 4, 1)
         local y = X:col(1) * 2 + X:col(3)
         local model = ml.Pipeline{ ml.StandardScaler{}, ml.Ridge{ alpha = 0.1 } }:fit(X, y)
         print(("%.4f"):format(model:score(X, y)), io, os, debug, require, package)
         print(ml.GridSearch{ ml.Ridge{}, { alpha = { 1, 0.1 } } }:fit(X, y).best.alpha)
         print(ml.load(model:dump()):score(X, y) == model:score(X, y))
         print(select(2, pcall(model.save, model, "x.mn")))
      ]])
      assert.equal("1.0000\tnil\tnil\tnil\tnil\tnil\n0.1\ntrue\n"
         .. "save needs the io library, which is not available; use dump() and load(bytes)\n",
         must(folder .. "/sandbox " .. script))
      local ok, text = run(folder .. "/sandbox " .. write("endless.lua", "while true do end") .. " 64 1")
      assert.is_nil(ok)
      assert.equal("the script exceeded its limit of instructions\n", text)
      ok, text = run(folder .. "/sandbox " .. write("greedy.lua",
         "local t = {} for i = 1, 1000 do t[i] = ml.zeros(1000, 1000) end") .. " 64")
      assert.is_nil(ok)
      assert.matches("not enough memory", text)
      -- limits below the size of the library
      for _, megabytes in ipairs { 0, 1 } do
         ok, text = run(folder .. "/sandbox " .. script .. " " .. megabytes)
         assert.is_nil(ok)
         assert(text == "" or text:find "not enough memory", text)
      end
   end)

   where("fits in four Lua states in four threads at once", function()
      local printed, first = must(folder .. "/four_states"), nil
      for line in printed:gmatch "state %d: ([^\n]+)" do
         first = first or line
         assert.equal(first, line)
      end
      local model = ml.KMeans { n_clusters = 5, seed = 3 }:fit(ml.normal(2000, 8, 1))
      assert.equal(("%.12g after %d rounds"):format(model.inertia, model.n_iter), first)
   end)

   where("links the shared library with and without Lua; only public symbols are exported", function()
      local so = "-Lbuild/lib -lmanilius -Wl,-rpath,$PWD/build/lib"
      build("predict", so)
      must("ln -sf libmanilius.so build/lib/libmanilius.so.0")
      assert.matches("setosa 0.9", must(folder .. "/predict " .. folder .. "/iris.mn 5.1 3.5 1.4 0.2"))
      build("four_states", so .. " $(pkg-config --libs lua5.4)")
      assert.matches("state 4", must(folder .. "/four_states"))
      for line in must("nm -D --defined-only build/lib/libmanilius.so"):gmatch "[^\n]+" do
         local name = line:match "%S+$"
         assert(name:find "^manilius_" or name == "luaopen_manilius" or name == "luaopen_manilius_core", name)
      end
   end)
end)
