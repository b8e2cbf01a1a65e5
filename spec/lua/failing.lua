--- Run by failing_host with STEP: everything an estimator does, with each allocation (of Lua too) failing in turn, and
-- with an aggressive collector.
local core = require "manilius.core"
local ml = require "manilius"
local check, data, use = require "manilius.check", require "manilius.check.data", require "manilius.check.use"

local collect_often, fail_in_turn, live = _G.collect_often, _G.fail_in_turn, _G.live -- of the host
local step = math.tointeger(os.getenv "STEP") or 1
local total_failures, collections = 0, 0

ml.threads(2)

-- Bytes that may remain, because tables of Lua have grown.
local max_remaining = 1024

local function check_work(name, work, bytes_of)
   work()
   local bytes = bytes_of()
   fail_in_turn(work)
   local before = live()
   local failed, forced = fail_in_turn(work)
   local left = live() - before
   assert(left <= max_remaining, ("%s: %d bytes are leaked"):format(name, left))
   assert(bytes_of() == bytes, name .. ": differs after requests have failed")
   total_failures = total_failures + failed + forced
   collections = collections + collect_often(work, step) // (step + 1)
   assert(bytes_of() == bytes, name .. ": differs after collections")
   for _, mode in ipairs { { "incremental", 1, 1000, 1 }, { "generational", 1, 1 } } do
      collectgarbage(table.unpack(mode))
      work()
      assert(bytes_of() == bytes, name .. ": differs with the collector in mode " .. mode[1])
   end
   collectgarbage("incremental", 200, 100, 13)
end

-- Later restarts and iterations allocate the same as the first ones, so a few are enough.
local function limit_iterations(class, new)
   local settings = {}
   for name, value in pairs { n_init = 2, max_iter = 3 } do
      if data.has_param(class, name) then settings[name] = value end
   end
   return function() return new(settings) end
end

for _, name in ipairs((core.class_names())) do
   local class, new = check.core_class(name)
   new = limit_iterations(class, new)
   local problem = data.make(class, { rows = 40 })
   local frame = not class.takes.square and data.frame(problem.X)
   local model = new()
   check_work(name, function()
      model:fit(problem.X, problem.y)
      local other <close> = new():fit(frame or problem.X, problem.y)
      use.outputs(other, class, frame or problem.X)
      use.learned(other, class)
      core.load_model(other:dump()):clone():set_params(other:get_params())
      assert(#tostring(other) > 0)
      if class.can.partial_fit then
         local batch <close> = new()
         local options = data.target_kind(class) == "labels" and { classes = problem.y } or nil
         batch:partial_fit(problem.X, problem.y, options):partial_fit(problem.X, problem.y)
      end
   end, function() return model:dump() end)
end

local composite = data.make({ does = { classify = true }, takes = {} }, { rows = 40 })
local X, y = data.frame(composite.X), composite.y
for _, one in ipairs {
   { "Pipeline", ml.Pipeline { ml.ColumnTransformer { { ml.StandardScaler {}, { "a" } },
      { ml.MinMaxScaler {}, { "b", "c" } } }, ml.LogisticRegression {} } },
   { "GridSearch", ml.GridSearch { ml.KNeighborsClassifier {}, { n_neighbors = { 1, 5 } }, cv = 2 } },
} do
   local name, model = one[1], one[2]
   check_work(name, function()
      model:fit(X, y)
      model:predict(X)
      ml.load(model:dump()):clone():set_params(model:get_params())
   end, function() return table.concat(model:predict(X):totable(), " ") end)
   local program = model:export_lua()
   total_failures = total_failures + fail_in_turn(function()
      assert(model:export_lua() == program, name .. ": another program")
   end)
end

check_work("a job", function() ml.Ridge {}:fit_async(composite.X, composite.X:col(1)):wait() end,
   function() return "" end)
check_work("a job of a formula", function()
   ml.NonlinearRegression { formula = "a * x1", start = { a = 1 } }:fit_async(composite.X, composite.X:col(1)):wait()
end, function() return "" end)
check_work("validation", function() ml.cross_validate(ml.GaussianNB {}, X, y, { cv = 2 }) end, function() return "" end)
check_work("tables", function()
   local frame = ml.parse_csv "age,city\n31,Oslo\n,Bergen\n40,Oslo\n"
   assert(frame:to_csv() and frame:describe() and frame:sort "age")
end, function() return "" end)
print(("requests %d\ncollections %d"):format(total_failures, collections))
