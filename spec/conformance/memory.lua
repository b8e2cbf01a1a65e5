-- Demands on memory: each request fails in turn, in everything a model can do, and then nothing is lost and nothing is
-- left behind.
local core = require "manilius.core"
local data = require "manilius.check.data"
local ml = require "manilius"
local support = require "spec.support"
local tools = require "manilius.check.tools"
local faults = require "spec.conformance.faults"
local use = require "manilius.check.use"

local need = tools.need
local memory = core.memory
local demands = {}

local function demand(name, applies, body)
   demands[#demands + 1] = { name = name, applies = applies, demand = function(new, class)
      faults.subject = class.name
      faults.all_in_turn(function() body(new, class) end)
   end }
end

local function always() return true end

demand("every request for memory fails in turn while it is made, set and cloned", always, function(new, class)
   local model = new()
   local params = model:get_params()
   faults.in_turn("new", function() new() end)
   faults.in_turn("clone", function() model:clone() end)
   local before = model:dump()
   faults.in_turn("set_params", function() model:set_params(params) end,
      function(n) need(model:dump() == before, "set_params changes something when request %d fails", n) end)
   local fitted, problem = use.fitted(new, class)
   faults.in_turn("clone of a fitted model", function() fitted:clone() end)
   need(problem, "no problem")
end)

-- All that a model has learned, as text. The archive of a search also tells how long its fits took.
local function state_of(model, class, problem)
   if class.core then return model:dump() end
   local outputs, words = use.outputs(model, class, problem.new), {}
   for i, value in ipairs(tools.values(outputs)) do words[i] = ("%q"):format(value) end
   return table.concat(words, " ")
end

-- Rounds ask for what those before them asked for: a few show all there is.
local few = { max_iter = 3, max_subpopulation = 100 }

local function of_few_rounds(new, class)
   local fewer = {}
   for name, value in pairs(support.exhaustive and {} or few) do
      local p = data.has_param(class, name)
      if p and p.low <= value then fewer[name] = value end
   end
   return function(settings)
      local all = {}
      for _, list in ipairs { fewer, settings or {} } do
         for name, value in pairs(list) do all[name] = value end
      end
      return new(all)
   end
end

demand("every request for memory fails in turn in fit, and the old fit stays", always, function(new, class)
   new = of_few_rounds(new, class)
   -- Large enough that scratch does not suffice.
   local model, problem = use.fitted(new, class, { rows = 150, cols = 16 })
   local other = data.make(class, { rows = 150, cols = 16, seed = 4, plain = true })
   local before = state_of(model, class, problem)
   local half_way = state_of(model:clone():fit(other.X, other.y), class, problem)
   local draft = model:clone():fit(problem.X, problem.y)
   faults.in_turn("fit", function()
      draft:fit(other.X, other.y)
      draft:fit(problem.X, problem.y)
   end, function(n)
      local now = state_of(draft, class, problem)
      need(now == before or now == half_way, "request %d leaves a model that is neither", n)
      if now == half_way then draft:fit(problem.X, problem.y) end
   end)
   need(state_of(draft, class, problem) == before, "the model differs in the end")
end)

demand("every request for memory fails in turn in a batch, and the model stays as it was",
   function(class) return class.can.partial_fit end,
   function(new, class)
      local problem = data.make(class)
      local options = data.target_kind(class) == "labels" and { classes = problem.y } or nil
      local model = new():partial_fit(problem.X, problem.y, options)
      local before = model:dump()
      local once
      faults.in_turn("partial_fit", function()
         local copy = ml.load(before)
         copy:partial_fit(problem.X, problem.y)
         once = once or copy:dump()
      end)
      -- One row may be learned in place, and have to make room first.
      for _, rows in ipairs { problem.X.rows, 1 } do
         local X, at = problem.X:slice(1, rows), {}
         for i = 1, rows do at[i] = i end
         local y = data.take(problem.y, at)
         for n = 0, 400 do
            memory.fail_after(n)
            local ok, message = pcall(model.partial_fit, model, X, y)
            memory.fail_after(-1)
            if ok or not tostring(message):find "memory" then break end
            need(model:dump() == before, "the model has changed when request %d fails", n + 1)
         end
         before = model:dump()
      end
   end)

demand("every request for memory fails in turn while it is used", always, function(new, class)
   local model, problem = use.fitted(new, class)
   local positions = {}
   for i = 1, 500 do positions[i] = i % problem.new.rows + 1 end
   problem.new = problem.new:take(positions)
   local frame = not class.takes.square and data.frame(problem.new)
   local named = frame and new():fit(data.frame(problem.X), problem.y)
   for _, action in ipairs(use.actions) do
      if class.can[action] then
         faults.in_turn(action, function() model[action](model, problem.new) end)
         if frame then faults.in_turn(action .. " of a Frame", function() named[action](named, frame) end) end
      end
   end
   if class.can.inverse_transform then
      local Z = model:transform(problem.new)
      if pcall(model.inverse_transform, model, Z) then
         faults.in_turn("inverse_transform", function() model:inverse_transform(Z) end)
      end
   end
   faults.in_turn("learned values", function() use.learned(model, class) end)
   for _, operation in ipairs(class.operations) do
      if pcall(use.operate, model, operation, problem) then
         faults.in_turn(operation.name, function() use.operate(model, operation, problem) end)
      end
   end
end)

demand("every request for memory fails in turn while it is saved and loaded", always, function(new, class)
   local model, problem = use.fitted(new, class)
   local bytes = model:dump()
   faults.in_turn("dump", function() need(model:dump() == bytes, "other bytes") end)
   faults.in_turn("load", function() ml.load(bytes) end)
   if not class.takes.square then
      local named = new():fit(data.frame(problem.X), problem.y):dump()
      faults.in_turn("load with names", function() ml.load(named) end)
   end
end)

demand("every request for memory fails in turn with weights, sparse rows, factors and settings by class", always,
   function(new, class)
      local problem = data.make(class)
      if class.takes.weights then
         local weights = {}
         for i = 1, problem.X.rows do weights[i] = i % 4 end
         local made = core.Vector(weights)
         faults.in_turn("weights", function() new():fit(problem.X, problem.y, { weights = made }) end)
      end
      if class.takes.sparse then
         local sparse = core.Sparse.from(problem.X)
         local settings = data.sparse_settings(class)
         faults.in_turn("sparse", function() new(settings):fit(sparse, problem.y) end)
      end
      if class.takes.class_weight then
         faults.in_turn("class_weight", function()
            new():set_params { class_weight = { ash = 2, birch = 3 } }:fit(problem.X, problem.y):clone()
         end)
      end
   end)

-- A problem of 2000 rows, which repeat 200.
local function large_problem(class)
   local problem, positions = data.make(class, { rows = 200, cols = 50, plain = true }), {}
   if class.takes.square then return problem.X, problem.y end
   for i = 1, 2000 do positions[i] = (i - 1) % 200 + 1 end
   return problem.X:take(positions), data.take(problem.y, positions)
end

demand("a limit on memory is an error, and the old fit stays", always, function(new, class)
   local model = use.fitted(new, class)
   local X, y = large_problem(class)
   local before, limit = model:dump(), memory.limit(faults.live() + 20000)
   local ok, message = pcall(model.fit, model, X, y)
   memory.limit(limit)
   need(ok or message:find "not enough memory", "the error is: %s", message)
   need(ok or model:dump() == before, "the model has changed")
end)

return demands
