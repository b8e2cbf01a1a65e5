--- Demands on y, weights and options: invalid values and their errors, and forms that must be equivalent.

local core = require "manilius.core"
local data = require "manilius.check.data"
local tools = require "manilius.check.tools"
local use = require "manilius.check.use"

local need, refuses, fitted = tools.need, tools.refuses, use.fitted
local nan, inf = 0 / 0, math.huge

local function of_core(class) return class.core end
local function takes(what)
   return function(class) return class.takes[what] end
end
local function wants_y(class) return data.target_kind(class) ~= nil and not class.takes.y_optional end
local function wants_labels(class) return data.target_kind(class) == "labels" end
local function classifies(class) return class.ours and class.does.classify end
local function wants_reals(class) return data.target_kind(class) == "reals" end

local demands, demand = tools.new_demands()

-- --- y ---

demand("y may be a list, a Vector, a Factor or a Matrix of one column", function(class)
   return class.ours and data.target_kind(class) ~= nil
end, function(new, class)
   local problem = data.make(class)
   local model, forms = new():fit(problem.X, problem.y), {}
   if wants_labels(class) then
      forms.Factor = core.Factor(problem.y)
   else
      forms.list = problem.y:totable()
      forms["one column"] = core.Matrix(problem.y)
   end
   for what, y in pairs(forms) do
      use.same_outputs("y as " .. what, class, model, new():fit(problem.X, y), problem.new)
   end
end)

demand("numeric labels may be a Matrix of one column", classifies, function(new, class)
   local problem, codes, column = data.make(class), {}, {}
   for i, code in ipairs(problem.group) do codes[i], column[i] = code, { code } end
   local model, other = new():fit(problem.X, codes), new():fit(problem.X, core.Matrix(column))
   local one, two = model:predict(problem.new), other:predict(problem.new)
   for i = 1, #one do need(one[i] == two[i], "row %d is %s, not %s", i, two[i], one[i]) end
end)

demand("integer and float targets give the same results", wants_reals, function(new, class)
   local problem = data.make(class)
   local whole, float = {}, {}
   for i, value in ipairs(problem.y:totable()) do
      whole[i] = math.floor(value) + 1
      float[i] = whole[i] + 0.0
   end
   use.same_outputs("integers", class, new():fit(problem.X, whole), new():fit(problem.X, float), problem.new)
end)

demand("y must be given", wants_y, function(new, class)
   local problem = data.make(class)
   refuses(class, "no y", { class.name .. ": y must be given as in" }, function() new():fit(problem.X) end)
end)

demand("y must have as many rows as X", function(class) return data.target_kind(class) ~= nil end, function(new, class)
   local problem = data.make(class)
   local n = problem.X.rows
   local short = data.take(problem.y, core.range(n - 1):totable())
   refuses(class, "short y", { ("%s: y must have as many rows as X, %d, got %d"):format(class.name, n, n - 1) },
      function() new():fit(problem.X, short) end)
end)

demand("nan and infinity in y are errors that name the row", function(class) return data.target_kind(class) ~= nil end,
   function(new, class)
      local problem = data.make(class)
      for text, value in pairs { nan = not class.takes.unlabelled and nan or nil, inf = inf } do
         local y = {}
         for i = 1, problem.X.rows do y[i] = i % 2 end
         y[3] = value
         refuses(class, text, { class.name .. ": y must be finite, got " .. text .. " in row 3" },
            function() new():fit(problem.X, y) end)
      end
   end)

demand("text labels are an error for a regressor", wants_reals, function(new, class)
   local problem = data.make(class)
   local y = {}
   for i = 1, problem.X.rows do y[i] = i % 2 == 0 and "yes" or "no" end
   refuses(class, "texts", { class.name .. ": y must be numeric, got labels" }, function() new():fit(problem.X, y) end)
end)

demand("fractional numbers as labels are an error", function(class)
   return wants_labels(class) and not class.takes.y_classes
end, function(new, class)
   local problem = data.make(class)
   local y = {}
   for i = 1, problem.X.rows do y[i] = i / 2 end
   refuses(class, "fractions", { class.name .. ": y must be class labels .*got 0.5 in row 1" },
      function() new():fit(problem.X, y) end)
end)

demand("a missing label is an error that names the row", function(class)
   return class.ours and wants_labels(class) and not class.takes.unlabelled
end,
   function(new, class)
      local problem = data.make(class)
      local text, mixed = {}, data.take(problem.y, core.range(problem.X.rows):totable())
      for i, label in ipairs(problem.y) do text[i] = label end
      text[3], text.n = nil, problem.X.rows
      refuses(class, "missing", { class.name .. ": y must not have missing labels, got one in row 3" },
         function() new():fit(problem.X, core.Factor(text)) end)
      mixed[3] = nan
      refuses(class, "nan among texts", { "y .* position 3.*nan" }, function() new():fit(problem.X, mixed) end)
   end)

demand("a single class is an error that names it", wants_labels, function(new, class)
   local problem = data.make(class)
   local y = {}
   for i = 1, problem.X.rows do y[i] = "ash" end
   refuses(class, "one class", { class.name .. ": y must have at least 2 classes, got 1 class %(ash%)" },
      function() new():fit(problem.X, y) end)
end)

demand("several targets are an error if it supports only one", function(class)
   return wants_reals(class) and not class.takes.multitarget
end, function(new, class)
   local problem = data.make(class)
   refuses(class, "two targets", { class.name .. ": y must have 1 column, got 2" },
      function() new():fit(problem.X, core.hcat(core.Matrix(problem.y), core.Matrix(problem.y))) end)
end)

demand("several targets give the same results as each alone", function(class)
   return class.takes.multitarget and not class.takes.joint_targets and class.can.predict
end, function(new, class)
   local problem = data.make(class)
   local one = core.Matrix(problem.y)
   local model = new():fit(problem.X, core.hcat(one, -2 * one))
   local both, alone = model:predict(problem.new), new():fit(problem.X, problem.y):predict(problem.new)
   need(tools.kind(both) == "Matrix" and both.cols == 2, "two targets do not give two columns")
   need(tools.kind(alone) == "Vector", "one target does not give a Vector")
   local ok, where = tools.near(both:col(1), alone, use.tolerance(class))
   need(ok, "the first target alone gives %s", where)
   local other = new():fit(problem.X, -2 * problem.y):predict(problem.new)
   ok, where = tools.near(both:col(2), other, use.tolerance(class))
   need(ok, "the second target gives %s", where)
end)

demand("more than two classes are an error if it supports only two", takes "binary_only", function(new, class)
   local problem = data.make(class)
   local y = {}
   for i = 1, problem.X.rows do y[i] = ({ "a", "b", "c" })[i % 3 + 1] end
   refuses(class, "three classes", { "only binary classification is supported" },
      function() new():fit(problem.X, y) end)
end)

-- --- weights, options ---

demand("weights may be a table or Vector and are not modified", takes "weights", function(new, class)
   local problem = data.make(class)
   local list = {}
   for i = 1, problem.X.rows do list[i] = 0.5 + i % 3 end
   local vector = core.Vector(list)
   local one = new():fit(problem.X, problem.y, { weights = list })
   local two = new():fit(problem.X, problem.y, { weights = vector })
   use.same_outputs("table and Vector", class, one, two, problem.new)
   need(tools.equal(vector, core.Vector(list)), "the weights were modified")
end)

demand("weights of wrong length, negative, nan or all 0 are errors", takes "weights", function(new, class)
   local problem = data.make(class)
   local n = problem.X.rows
   local function with(value)
      local w = core.Vector(n, 1)
      w[5] = value
      return w
   end
   local function fit(weights)
      return function() new():fit(problem.X, problem.y, { weights = weights }) end
   end
   refuses(class, "too few", { ("weights must have as many rows as X, %d, got 3"):format(n) }, fit { 1, 1, 1 })
   refuses(class, "negative", { class.name .. ": weights must be .*>= 0, got %-1 in row 5" }, fit(with(-1)))
   refuses(class, "nan", { class.name .. ": weights must be .*>= 0, got nan in row 5" }, fit(with(nan)))
   refuses(class, "inf", { class.name .. ": weights must be finite and >= 0, got inf in row 5" }, fit(with(inf)))
   refuses(class, "all 0", { class.name .. ": weights must have at least one value > 0" }, fit(core.Vector(n, 0)))
   refuses(class, "two columns", { "weights" }, fit(core.ones(n, 2)))
   refuses(class, "text", { "weights" }, fit "1")
   refuses(class, "texts", { class.name .. ": weights.*element 2 is a string" }, fit { 1, "2" })
end)

demand("weights that leave a single class are an error", function(class)
   return wants_labels(class) and class.takes.weights
end, function(new, class)
   local problem = data.make(class)
   local w = {}
   for i, label in ipairs(problem.y) do w[i] = label == "birch" and 1 or 0 end
   refuses(class, "one class", { class.name .. ": y must have at least 2 classes, got 1 class %(birch%)" },
      function() new():fit(problem.X, problem.y, { weights = w }) end)
end)

demand("unsupported options are errors that name the option", of_core, function(new, class)
   local model, problem = fitted(new, class)
   local given = { weights = core.Vector(problem.X.rows, 1), lengths = { problem.X.rows }, target = problem.X,
      init_score = core.Vector(problem.X.rows, 0), eval = { problem.X, problem.y or core.Vector(problem.X.rows, 0) },
      folds = core.Vector(problem.X.rows, 1) }
   for name, flag in pairs { weights = "weights", lengths = "lengths", target = "target_x",
      init_score = "init_score", eval = "eval", folds = "folds" } do
      if not class.takes[flag] then
         refuses(class, name, { class.name .. " does not support the option '" .. name .. "'" },
            function() new():fit(problem.X, problem.y, { [name] = given[name] }) end)
      end
   end
   refuses(class, "weigths", { class.name .. ": .*'weigths'" },
      function() new():fit(problem.X, problem.y, { weigths = given.weights }) end)
   refuses(class, "a number for options", { class.name .. ": options must be a table, got number" },
      function() new():fit(problem.X, problem.y, 3) end)
   if class.can.predict then
      refuses(class, "weights in predict", { class.name .. ".*'weights'" },
         function() model:predict(problem.X, { weights = given.weights }) end)
   end
end)

demand("options in place of y are an error", of_core, function(new, class)
   local problem = data.make(class)
   refuses(class, "options as y", { "y .*weights" },
      function() new():fit(problem.X, { weights = core.Vector(problem.X.rows, 1) }) end)
end)

return demands
