local ml = require "manilius"
local core = require "manilius.core"
local support = require "spec.support"

local X, y = ml.read_csv "examples/data/iris.csv":split "species"

local refuses = support.refuses

local function pipeline()
   return ml.Pipeline {
      { "ct", ml.ColumnTransformer { { "a", ml.StandardScaler {}, { "sepal_length", "petal_length" } },
         { "b", ml.PCA { n_components = 1 }, { 2, 4 } }, { "c", "drop", { 1 } }, remainder = "passthrough" } },
      { "both", ml.FeatureUnion { "passthrough", ml.PCA { n_components = 2 } } },
      ml.LogisticRegression { C = 3, class_weight = { setosa = 2 } } }:fit(X, y)
end

describe("archives", function()
   it("store fitted pipelines", function()
      local model = pipeline()
      local again = ml.load(model:dump())
      assert.equal(model:predict_proba(X), again:predict_proba(X))
      assert.equal(tostring(model), tostring(again))
      assert.equal(3, again:get_params().logisticregression__C)
      assert.equal(again, again:fit(X, y))
      assert.equal(model:dump(), ml.load(model:dump()):dump())
   end)

   it("store unfitted pipelines", function()
      local again = ml.load(ml.Pipeline { ml.PCA { n_components = 2 } }:dump())
      assert.is_false(again.fitted)
      assert.equal(2, again[1].n_components)
   end)

   it("store searches", function()
      local search = ml.GridSearch { pipeline(), { logisticregression__C = { 1, 100 } }, cv = 3 }:fit(X, y)
      local again = ml.load(search:dump())
      assert.equal(search:predict(X), again:predict(X))
      assert.same(search.best_params, again.best_params)
      assert.equal(search.results.mean_score, again.results.mean_score)
      assert.equal(search:score(X, y), again:score(X, y))
   end)

   it("store tables of values of every kind", function()
      local value = { 1, 2.5, "text", true, list = { { 1 }, {} }, matrix = ml.Matrix { { 1, 2 } },
         vector = ml.Vector { 0.5, 0 / 0 }, whole = ml.Vector { 1, 2 }, factor = ml.Factor { "a", nil, 3, n = 3 },
         frame = X:head(2), sparse = ml.Sparse(ml.eye(2)), model = ml.PCA { n_components = 3 } }
      local again = ml.load(ml.dump(value))
      assert.same({ 1, 2.5, "text", true }, { again[1], again[2], again[3], again[4] })
      assert.equal("integer", math.type(again[1]))
      assert.same({ { 1 }, {} }, again.list)
      assert.equal(value.matrix, again.matrix)
      assert.equal(0.5, again.vector[1])
      assert.is_true(again.vector[2] ~= again.vector[2])
      assert.is_true(again.whole.whole)
      assert.equal(value.factor, again.factor)
      assert.equal(X:head(2), again.frame)
      assert.equal(ml.eye(2), again.sparse:todense())
      assert.equal(3, again.model.n_components)
   end)

   it("are written to files atomically", function()
      local path = os.tmpname()
      local model = pipeline()
      assert.equal(model, model:save(path))
      assert.equal(model:predict(X), ml.load(path):predict(X))
      ml.StandardScaler {}:fit(X):save(path)
      assert.equal("StandardScaler", ml.load(path).class)
      os.remove(path)
      refuses("^[^:]*save_spec.lua:%d+: /nowhere/x.mn: No such file", function() model:save "/nowhere/x.mn" end)
      refuses("/nowhere/x.mn: No such file", ml.load, "/nowhere/x.mn")
      refuses("dump: expected one argument, got a second one, string; to write a file use save%(model, path%)",
         ml.dump, model, "x.mn")
   end)

   it("keep the parameters of a search except functions and splitters", function()
      local grid = { { max_depth = { 1, 2 } }, { max_depth = { ml.unset }, min_samples_leaf = { 2 } } }
      local search = ml.load(ml.GridSearch { ml.DecisionTreeRegressor {}, grid, cv = 3, scoring = "rmse" }:dump())
      assert.equal(3, search.cv)
      assert.equal("rmse", search.scoring)
      assert.same(grid, search.grid)
      local drawn = { alpha = function(stream) return stream:uniform() end }
      local other = ml.load(ml.RandomSearch { ml.Ridge {}, drawn, cv = ml.KFold { k = 3 }, n = 4 }:dump())
      assert.equal(5, other.cv)
      assert.same({}, other.grid)
      assert.equal(4, other.n)
   end)

   it("are refused for values that cannot be saved, with their names", function()
      refuses("the value.f cannot be saved: it is a function$", ml.dump, { f = print })
      refuses("the value cannot be saved: it has the key 5; keys must be strings, or 1, 2, ... without gaps$", ml.dump,
         { [5] = 1 })
      refuses("the value.o cannot be saved: it is an object of a class that is not registered", ml.dump,
         { o = setmetatable({}, {}) })
   end)

   it("raise errors without leaks if any allocation fails", function()
      local model = pipeline()
      local bytes = model:dump()
      for _, call in ipairs { ml.load, core.plan_of_archive, function() return model:dump() end } do
         call(bytes)
         collectgarbage() collectgarbage()
         local live, failed = core.memory.live(), 0
         for n = 0, 1000 do
            core.memory.fail_after(n)
            local ok, message = pcall(call, bytes)
            core.memory.fail_after(-1)
            if ok then break end
            failed = failed + 1
            assert.matches("not enough memory", message)
            collectgarbage() collectgarbage()
            assert.equal(live, core.memory.live())
         end
         assert.is_true(failed > 0 and failed < 1000)
      end
   end)

   it("are loaded in C without Lua, with bit-identical predictions", function()
      local model = pipeline()
      local plan = core.plan_of_archive(model:dump())
      assert.equal(model:predict_proba(X), core.plan_apply(plan, X, "predict_proba"))
      local moved = X:select("petal_width", "petal_length", "sepal_width", "sepal_length")
      assert.equal(model:predict_proba(X), core.plan_apply(plan, moved, "predict_proba"))
      local search = ml.GridSearch { pipeline(), { logisticregression__C = { 1, 100 } }, cv = 3 }:fit(X, y)
      assert.equal(search:predict_proba(X), core.plan_apply(core.plan_of_archive(search:dump()), X, "predict_proba"))
      refuses("archive: the model has a class that is written in Lua; load it in Lua", core.plan_of_archive,
         ml.TransformedTarget { regressor = ml.Ridge {}, func = "log" }:dump())
   end)
end)

-- Appends the CRC-32, so that the loader goes on to read the modified body.
local function with_checksum(body)
   local crc = 0xFFFFFFFF
   for i = 1, #body do
      crc = crc ~ body:byte(i)
      for _ = 1, 8 do crc = (crc >> 1) ~ (0xEDB88320 & -(crc & 1)) end
   end
   return body .. ("<I4"):pack(crc ~ 0xFFFFFFFF)
end

describe("hostile archives", function()
   it("load or raise an error, but never crash, whichever byte is changed", function()
      local small = ml.Pipeline { ml.StandardScaler {},
         ml.ColumnTransformer { { ml.PCA { n_components = 1 }, { 1, 2 } }, remainder = "passthrough" },
         ml.LogisticRegression {} }
      local body = small:fit(ml.Matrix { { 0, 1, 5 }, { 1, 0, 6 }, { 2, 5, 5 }, { 3, 1, 7 } },
         { "a", "b", "a", "b" }):dump():sub(1, -5)
      local rng, errors = core.rng(5), 0
      for _ = 1, 500 do
         local at = rng:integer(21, #body)
         local bytes = with_checksum(body:sub(1, at - 1) .. string.char(rng:integer(0, 255)) .. body:sub(at + 1))
         for _, load in ipairs { ml.load, core.plan_of_archive } do
            local ok, got = pcall(load, bytes)
            if not ok then
               errors = errors + 1
               assert.equal("string", type(got))
            elseif load == ml.load and type(got) == "table" then
               pcall(function() got:predict { { 1, 2, 3 } } end)
               pcall(tostring, got)
            elseif type(got) == "userdata" then
               pcall(core.plan_apply, got, { { 1, 2, 3 } }, "predict")
            end
         end
      end
      assert.is_true(errors > 100)
   end)

   it("are refused if they are truncated or name an unknown class", function()
      local bytes = ml.Pipeline { ml.PCA {} }:dump()
      for size = 8, #bytes - 1, 7 do assert.is_false(pcall(ml.load, bytes:sub(1, size))) end
      refuses("unknown class 'Pipelone'; require the module that defines it first", ml.load,
         with_checksum((bytes:sub(1, -5):gsub("Pipeline", "Pipelone"))))
   end)
end)

describe("an archive of an ensemble with inconsistent members", function()
   local bytes = require "spec.conformance.bytes"
   local rows, labels = ml.normal(30, 3, 1), {}
   for i = 1, 30 do labels[i] = i % 2 end
   local bag = ml.BaggingClassifier { ml.LogisticRegression {}, n_estimators = 2 }:fit(rows, labels)
   local records = bytes.records(bag:dump())

   -- The archive with the value of the last record of that name replaced, or the record removed (nil).
   local function with(name, value)
      for i = #records, 1, -1 do
         local r = records[i]
         if r.name == name then
            local new = value and { { kind = r.kind, name = name, value = value } } or {}
            return bytes.archive(bytes.replaced(records, i, new))
         end
      end
   end

   it("is refused if the number of columns is invalid", function()
      local ok, message = pcall(ml.load, with("n_features", ("<i8"):pack(-1)))
      assert.is_false(ok)
      assert.matches("n_features", message)
   end)

   it("cannot be exported if the number of columns differs from that of its members or is too large", function()
      for _, columns in ipairs { 2, 4, 6597069766659 } do
         local model = ml.load(with("n_features", ("<i8"):pack(columns)))
         for _, method in ipairs { "export_c", "export_lua" } do
            local ok, message = pcall(model[method], model)
            assert.is_false(ok)
            assert.matches("cannot be exported: ", message)
         end
      end
   end)
end)
