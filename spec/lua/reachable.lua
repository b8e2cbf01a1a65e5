--- Run by reachable_spec.lua in a process of its own: every function that the modules of the library give to a script,
-- called with wrong arguments. Writes the name of each function to standard error before its calls, so that the last
-- line names the one that ended the process.
local ml = require "manilius"
local core = require "manilius.core"
local draws = require "spec.support".draws

local M = {}

-- Would end the process, wait for input, or change what all later calls do.
local is_excluded = {
   ["core.memory.fail_after"] = true, ["core.memory.limit"] = true, ["core.memory.threads"] = true,
   ["core.set_bar"] = true, ["core.list_meta"] = true, ["core.product_peak"] = true,
   ["core.set_results_function"] = true, ["core.model_meta.__close"] = true,
}

--- { name, function } of all functions in a table and the tables in it.
function M.functions(root, name)
   local list, seen = {}, {}
   local function walk(value, path)
      if seen[value] or is_excluded[path] then return end
      if type(value) == "function" then
         seen[value] = true
         list[#list + 1] = { path, value }
      elseif type(value) == "table" then
         seen[value] = true
         for key, inner in next, value do walk(inner, path .. "." .. tostring(key)) end
      end
   end
   walk(root, name)
   table.sort(list, function(a, b) return a[1] < b[1] end)
   return list
end

local function values()
   local X = ml.normal(4, 2, 1)
   local y = { 1, 2, 3, 4 }
   local ridge, tree = ml.Ridge {}:fit(X, y), ml.DecisionTreeClassifier {}:fit(X, { "a", "b", "a", "b" })
   local closed = ml.Ridge {}
   local gone = ml.zeros(50, 50)
   do local _ <close> = closed end
   do local _ <close> = gone end
   local huge = { n = 1e15 }
   local itself = {}
   itself[1] = itself
   return {
      false, true, 0, 1, 2, -1, 3, 0.5, -0.0, 1e308, 0 / 0, 1 / 0, -1 / 0, 2 ^ 53, 2 ^ 31, 1 << 32, math.maxinteger,
      math.mininteger, "", "a", "b", "mean", "predict", "normal", "2", "a\0b", ("x"):rep(70000), "no such folder/x",
      {}, { 1 }, { 1, 2, 3 }, { 0.5, -1, 2 ^ 53 }, { { 1, 2 }, { 3, 4 } }, { { 1 }, { 2, 3 } }, { "a", "b" },
      { "a", 1 }, { {} }, { { {} } }, { 1, n = 3 }, huge, itself, { X[1], X[2] }, { X:col(1), X:col(2):slice(1, 2) },
      { X, X }, { ridge }, { ml.Factor { "a" }, X:col(1) }, { ml.Factor { "a" }, ml.Factor { true } }, { print },
      { names = { "a" }, columns = "x" }, { names = { "a" }, columns = { X[1] } }, { train = X[1], test = X[1] },
      { { train = X[1], test = X[1] } }, { { 1, 1 } }, { wants = { { predict = true } } }, { kind = "chain", ridge },
      { kind = "columns", names = { "a" }, columns = { { 2 ^ 40 } }, ridge }, { rows = -1, cols = 2, entries = {} },
      { rows = 2, cols = 2, entries = { { 3, 1, 1 } } }, { alpha = X }, { dist = "normal", mean = 0, sd = 1 },
      { vector = { 1, 2 }, factor = X:slice(1, 2) }, { vector = { 0.5, 0.5 }, trials = 3 }, { { 0.5, 0.5 }, 3 },
      "multinomial",
      setmetatable({}, { __index = function() return 1 end, __len = function() return 1 << 20 end }),
      setmetatable({}, core.frame.metatable), setmetatable({ names = {}, columns = "x" }, core.frame.metatable),
      setmetatable({ names = { "a" }, columns = { 1 } }, core.frame.metatable), setmetatable({}, core.model_meta),
      X, X:t(), X[1], X:col(2), ml.zeros(0, 3), ml.zeros(3, 0), ml.Vector {}, gone, ml.Factor { "a", "b", "a", "b" },
      ml.Factor {}, ml.Sparse.from(X), ml.Sparse { rows = 0, cols = 0, entries = {} }, ml.Frame { a = y, b = { "x", "y",
         "x", "y" } }, ml.Frame {}, ridge, ml.Ridge {}, tree, closed, ml.KMeans { n_clusters = 2 }:fit(X),
      ml.Pipeline { ml.PCA {}, ml.Ridge {} }:fit(X, y), core.rng(1), core.fit_cache(), core.archive_writer(),
      core.plan(ridge), core.plan { kind = "chain", names = { "a", "b" }, core.constructors.PCA(), ridge },
      core.frame.single_group(3), core.frame.group { X[1] }, ml.Ridge {}:fit_async(X, y), io.stdout, print,
      ml.dump(ridge), ml.unset, coroutine.create(print), ml.kernel.RBF {} + 1, ml.kernel.Function(print),
      { { part = "RBF", exponent = 0, values = { 1 }, low = { 1 }, high = { 1 }, fixed = {}, columns = {} } },
   }
end

--- Call each function in the list with every value, and with `count` drawn lists of values.
function M.call(functions, count, limit)
   local pool, draw = values(), draws "reachable"
   local function drawn() return pool[math.floor(draw() * #pool) + 1] end
   local function attempt(call, ...)
      core.memory.limit(limit)
      pcall(call, ...)
   end
   for _, entry in ipairs(functions) do
      io.stderr:write(entry[1], "\n")
      local call = entry[2]
      attempt(call)
      for _, value in ipairs(pool) do
         attempt(call, value)
         attempt(call, nil, value)
         attempt(call, value, value, value, value)
      end
      for i = 1, count do
         local arguments = {}
         local n = i % 8 + 1
         for k = 1, n do
            if draw() < 0.9 then arguments[k] = drawn() end
         end
         attempt(call, table.unpack(arguments, 1, n))
      end
      attempt(call, table.unpack(pool))
      if draw() < 0.1 then pool = values() end -- some calls change their arguments
   end
end

return M
