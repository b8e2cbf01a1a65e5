--- Calls of receivers_spec.lua: every method on every other kind of receiver.
local ml = require "manilius"
local core = require "manilius.core"
local golden = require "spec.fixtures.golden.golden"

local M = {}

local function sorted(t)
   local names = {}
   for name in pairs(t) do names[#names + 1] = name end
   table.sort(names)
   return names
end

local function fitted(name)
   return ml.load(golden.read(golden.path(name, golden.versions[#golden.versions])))
end

-- { class, operation, function } of all operations.
local function operations()
   local list = {}
   for _, class in ipairs(sorted(core.constructors)) do
      for _, operation in ipairs(core.describe(class).operations) do
         list[#list + 1] = { class = class, name = operation.name, call = core.constructors[class]()[operation.name] }
      end
   end
   return list
end

-- The operation is a method of this model, too: related classes share some.
local function has(model, operation)
   local known, own = pcall(function() return model[operation.name] end)
   return known and type(own) == "function" and select(2, debug.getupvalue(own, 1)) ==
      select(2, debug.getupvalue(operation.call, 1))
end

--- Call every operation on models of all other classes. Returns the number of calls and a list of those that were not
-- refused as they should be.
function M.operations()
   local all, count, failures = operations(), 0, {}
   local X = ml.normal(5, 3, 1)
   for _, class in ipairs(sorted(core.constructors)) do
      for _, model in ipairs { core.constructors[class](), fitted(class) } do
         for _, operation in ipairs(all) do
            if not has(model, operation) then
               for _, X_or_nil in ipairs { X, false } do
                  local ok, message = pcall(operation.call, model, X_or_nil or nil)
                  count = count + 1
                  if ok or not message:find("call it with a colon, as in model:" .. operation.name, 1, true) then
                     failures[#failures + 1] = ("%s.%s(%s): %s"):format(operation.class, operation.name, class, message)
                  end
               end
            end
         end
      end
   end
   return count, failures
end

local function receivers()
   local X = ml.normal(4, 2, 1)
   local ridge = ml.Ridge {}:fit(X, { 1, 2, 3, 4 })
   local closed = ml.Ridge {}
   do local _ <close> = closed end
   return { X, X[1], X:t(), ml.Factor { "a", "b" }, ml.Sparse.from(X), ml.Frame { a = { 1, 2 } }, ridge, ml.Ridge {},
      closed, ml.Pipeline { ml.PCA {}, ml.Ridge {} }, core.rng(1), core.fit_cache(), core.archive_writer(),
      core.plan(ridge), core.frame.single_group(3), ml.Ridge {}:fit_async(X, { 1, 2, 3, 4 }), io.stdout,
      ml.dist.normal { mean = 0, sd = 1 }, ml.kernel.RBF {}, coroutine.create(print), print, {}, { 1 },
      { names = { "a" }, columns = "x" },
      setmetatable({}, core.model_meta), setmetatable({}, core.frame.metatable), "abc", 1, 0.5, true, false }
end

local function methods_of(value, list)
   local index = (debug.getmetatable(value) or {}).__index
   for name, method in pairs(debug.getmetatable(value) or {}) do
      if name ~= "__gc" and type(method) == "function" then list[#list + 1] = { tostring(name), method } end
   end
   if type(index) ~= "function" then
      for name, method in pairs(type(index) == "table" and index or {}) do list[#list + 1] = { name, method } end
      return
   end
   for i = 1, 20 do
      local _, members = debug.getupvalue(index, i)
      for name, method in pairs(type(members) == "table" and members or {}) do
         if type(method) == "function" then list[#list + 1] = { tostring(name), method } end
      end
   end
end

-- Would end the process, or wait for input.
local is_excluded = { close = true, read = true, lines = true, [io.stdout.write] = true }

--- Every method of every kind of value on receivers of all kinds. Nothing is said about the result: some methods are
-- meant for several kinds.
function M.methods()
   local all, list = receivers(), {}
   for _, value in ipairs(all) do
      if not io.type(value) then methods_of(value, list) end
   end
   for _, method in ipairs(sorted(core.frame_methods)) do list[#list + 1] = { method, core.frame_methods[method] } end
   for name, method in pairs(require "manilius.frame".methods()) do list[#list + 1] = { name, method } end
   local seen = {}
   for _, method in ipairs(list) do
      if type(method[2]) == "function" and not seen[method[2]] and not is_excluded[method[1]] then
         seen[method[2]] = true
         io.stderr:write(method[1], "\n")
         for _, receiver in pairs(receivers()) do
            pcall(method[2], receiver)
            pcall(method[2], receiver, 1)
            pcall(method[2], receiver, { 1, 2 }, 1)
            pcall(method[2], receiver, "a", "b")
            pcall(method[2], receiver, receiver)
         end
         pcall(method[2])
      end
   end
end

return M
