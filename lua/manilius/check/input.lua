--- Demands on X: invalid values and their errors, containers that must be equivalent, column names.

local core = require "manilius.core"
local data = require "manilius.check.data"
local load_model = require "manilius.save".load
local tools = require "manilius.check.tools"
local use = require "manilius.check.use"

local need, refuses, fitted = tools.need, tools.refuses, use.fitted
local nan, inf = 0 / 0, math.huge

local function always() return true end
local plain_x = data.is_plain
local function numeric(class) return not class.takes.texts end
local function several_columns(class) return plain_x(class) and not class.takes.one_column end
local function takes(what)
   return function(class) return class.takes[what] end
end

local demands, demand = tools.new_demands()

--- fit and each action must raise an error for the X that `spoil` returns.
local function refuse_everywhere(new, class, what, patterns, spoil)
   local model, problem = fitted(new, class)
   local bad = spoil(problem.X:copy())
   refuses(class, "fit, " .. what, patterns, function() new():fit(bad, problem.y) end)
   for _, action in ipairs(use.actions) do
      if class.can[action] then
         refuses(class, action .. ", " .. what, patterns,
            function() model[action](model, spoil(problem.new:copy())) end)
      end
   end
   for _, operation in ipairs(class.operations) do
      if operation.needs_x then
         refuses(class, operation.name .. ", " .. what, patterns, use.operate, model, operation,
            { X = bad, y = problem.y })
      end
   end
end

-- The third column, or the only one.
local function third(class) return class.takes.one_column and 1 or 3 end

local function setter(value)
   return function(X)
      X:set(2, math.min(3, X.cols), value)
      return X
   end
end

demand("nan in X is an error that names row and column",
   function(class) return numeric(class) and not class.takes.missing end,
   function(new, class)
      local message = class.name .. ": X must be finite, got nan in row 2, column " .. third(class)
      refuse_everywhere(new, class, "nan", { message }, setter(nan))
   end)

demand("infinity in X is an error that names row and column",
   function(class) return numeric(class) and not class.takes.infinite end,
   function(new, class)
      local message = class.name .. ": X must be finite, got %sinf in row 2, column " .. third(class)
      refuse_everywhere(new, class, "inf", { message:format "" }, setter(inf))
      refuse_everywhere(new, class, "-inf", { message:format "%-" }, setter(-inf))
   end)

demand("inverse_transform requires finite X with as many columns as transform returns",
   function(class) return class.can.inverse_transform end,
   function(new, class)
      local model, problem = fitted(new, class)
      local Z = model:transform(problem.X)
      if tools.kind(Z) ~= "Matrix" or not pcall(model.inverse_transform, model, Z) then return end
      refuses(class, "width", { class.name .. ": X must have " .. Z.cols .. " columns, as transform returns, got " ..
         Z.cols + 1 }, model.inverse_transform, model, core.hcat(Z, core.ones(Z.rows, 1)))
      local bad = Z:copy()
      bad:set(2, 1, inf)
      refuses(class, "inf", { class.name .. ": X must be finite, got inf in row 2, column 1" },
         model.inverse_transform, model, bad)
   end)

demand("negative values in X are an error if it requires X >= 0", takes "non_negative", function(new, class)
   refuse_everywhere(new, class, "-1", { class.name .. ": X must be >= 0, got %-1 in row 2, column 3" }, setter(-1))
end)

demand("negative values in X are accepted unless it requires X >= 0",
   function(class) return not class.takes.non_negative and plain_x(class) end,
   function(new, class)
      local problem = data.make(class)
      new():fit(problem.X - 20, problem.y)
   end)

demand("missing values are accepted if supported", takes "missing", function(new, class)
   local problem = data.make(class)
   for i = 1, problem.X.rows, 7 do problem.X:set(i, i % problem.X.cols + 1, nan) end
   local model = new():fit(problem.X, problem.y)
   for _, row in ipairs { 1, problem.new.rows } do problem.new:set(row, problem.new.cols, nan) end
   for action, result in pairs(use.outputs(model, class, problem.new)) do
      if action ~= "transform" and action ~= "inverse_transform" then
         local ok, where = tools.finite(result)
         -- The logarithm of a probability of 0 is -inf.
         need(ok or action == "predict_log_proba" and not where:find "nan", "%s gives %s", action, where)
      end
   end
end)

demand("X without rows or columns is an error", always, function(new, class)
   local model, problem = fitted(new, class)
   refuses(class, "fit without rows", { class.name .. ": X must have at least 1 row, got 0" },
      function() new():fit({}, problem.y and {}) end)
   if not class.takes.no_columns then
      refuses(class, "fit without columns", { class.name .. ": X must have at least 1 column, got 0" },
         function() new():fit(core.zeros(3, 0), problem.y) end)
   end
   for _, action in ipairs(use.actions) do
      if class.can[action] then
         refuses(class, action .. " without rows", { "X must have at least 1 row, got 0" },
            function() model[action](model, core.zeros(0, problem.X.cols)) end)
      end
   end
end)

demand("X without columns gives a constant prediction if supported", takes "no_columns", function(new, class)
   local problem = data.make(class)
   local X = core.zeros(problem.X.rows, 0)
   local model = new():fit(X, problem.y)
   local constant = model:predict(core.zeros(2, 0))
   need(model.n_features == 0, "it has %d features", model.n_features)
   need(constant[1] == model:predict(X)[1] and constant[1] == constant[2], "predictions differ")
   need(tools.equal(constant, load_model(model:dump()):predict(core.zeros(2, 0))), "predictions differ after loading")
   refuses(class, "a column", { class.name .. ": X must have 0 columns, as in fit, got 1" }, model.predict, model,
      core.zeros(2, 1))
end)

demand("a number of columns that differs from fit is an error", plain_x, function(new, class)
   local model, problem = fitted(new, class)
   local others = { core.hcat(problem.X, problem.X) }
   if problem.X.cols > 1 then others[2] = problem.X:slice(nil, nil, 1, 3) end
   local wanted = problem.X.cols == 1 and "1 column, as in fit, got " or "4 columns, as in fit, got "
   for _, action in ipairs(use.actions) do
      if class.can[action] then
         for _, X in ipairs(others) do
            refuses(class, action, { class.name .. ": X must have " .. wanted .. X.cols },
               model[action], model, X)
         end
      end
   end
   for _, operation in ipairs(class.operations) do
      if operation.needs_x then
         refuses(class, operation.name, { class.name .. ": X must have " .. wanted .. others[1].cols }, use.operate,
            model, operation, { X = others[1], y = problem.y })
      end
   end
   if class.can.partial_fit then
      local batches, X = new():partial_fit(problem.X, problem.y), others[#others]
      refuses(class, "partial_fit", { class.name .. ": X must have " .. wanted .. X.cols },
         batches.partial_fit, batches, X, problem.y)
   end
end)

demand("a flat table, Vector, string or nil as X is an error",
   function(class) return class.ours and numeric(class) end, function(new, class)
   local model, problem = fitted(new, class)
   for _, call in ipairs {
      function(X) return new():fit(X, problem.y) end,
      class.can.predict and function(X) return model:predict(X) end or nil,
   } do
      local must = class.name .. ": X must be a "
      local kinds = must .. "Matrix, Frame, Sparse or table of rows, got "
      refuses(class, "flat", { must .. "table of rows, got a flat table; one row is { {...} }" }, call, { 1, 2, 3, 4 })
      refuses(class, "Vector", { must .. "matrix, got a Vector" }, call, core.Vector { 1, 2, 3, 4 })
      refuses(class, "string", { kinds .. "string" }, call, "1 2 3 4")
      refuses(class, "nil", { kinds .. "n" }, call, nil)
   end
end)

demand("ragged rows and values that are not numbers are errors that name the position",
   function(class) return class.ours and numeric(class) and not class.takes.factors end,
   function(new, class)
      local model, problem = fitted(new, class)
      local function spoiled(value)
         local rows = problem.X:totable()
         rows[2][third(class)] = value
         return rows
      end
      for value, kind in pairs { ["1"] = "string", [true] = "boolean", [{}] = "table" } do
         local message = "row 2, column " .. third(class) .. " is a " .. kind .. ", not a number"
         refuses(class, kind, { message }, function() new():fit(spoiled(value), problem.y) end)
         for _, action in ipairs(use.actions) do
            if class.can[action] then
               refuses(class, action .. ", " .. kind, { message }, model[action], model, spoiled(value))
            end
         end
      end
      local ragged = problem.X:totable()
      ragged[1][#ragged[1] + 1] = 1
      local width = problem.X.cols
      refuses(class, "ragged", { ("row 2 has %d values?, row 1 has %d"):format(width, width + 1) },
         function() new():fit(ragged, problem.y) end)
   end)

demand("one row or one column works or raises a clear error", plain_x, function(new, class)
   local problem = data.make(class)
   tools.succeeds_or_explains("one row", function()
      return new():fit(problem.X:slice(1, 1), data.take(problem.y, { 1 }))
   end)
   local ok, model = tools.succeeds_or_explains("one column", function()
      return new():fit(problem.X:slice(nil, nil, 1, 1), problem.y)
   end)
   if ok then use.outputs(model, class, problem.new:slice(nil, nil, 1, 1)) end
end)

-- --- other containers ---

demand("tables, views and integers give the same results as a Matrix", numeric, function(new, class)
   local problem = data.make(class)
   local X = problem.X:copy()
   for i = 1, X.rows do
      for j = 1, X.cols do X:set(i, j, math.floor(8 * X:get(i, j)) + 0.0) end
   end
   if class.takes.square then X = problem.X end
   local model = new():fit(X, problem.y)
   local tall = core.hcat(core.ones(X.rows, 1), X, core.zeros(X.rows, 2))
   local whole = X:totable()
   for _, row in ipairs(whole) do
      for j, value in ipairs(row) do row[j] = math.tointeger(value) or value end
   end
   local forms = { table = X:totable(), integers = whole }
   if class.core then
      forms["a view"] = tall:slice(nil, nil, 2, X.cols + 1)
      forms["a transposed copy"] = X:t():copy():t()
   end
   for what, form in pairs(forms) do
      use.same_outputs(what, class, model, new():fit(form, problem.y), X)
      for _, action in ipairs(use.actions) do
         if class.can[action] then
            local same, where = tools.equal(model[action](model, X), model[action](model, form))
            need(same or tools.near(model[action](model, X), model[action](model, form), 1e-12), "%s of %s gives %s",
               action, what, where)
         end
      end
   end
end)

-- --- sparse rows, factors ---

demand("a sparse X is an error if unsupported",
   function(class) return class.core and numeric(class) and not class.takes.sparse end,
   function(new, class)
      local model, problem = fitted(new, class)
      local sparse = core.Sparse.from(problem.X)
      refuses(class, "fit", { class.name .. ": X must be dense, got a sparse matrix" },
         function() new():fit(sparse, problem.y) end)
      for _, action in ipairs(use.actions) do
         if class.can[action] then
            refuses(class, action, { class.name .. ": X must be dense, got a sparse matrix" },
               model[action], model, sparse)
         end
      end
   end)

demand("a sparse X gives the same results as a dense X", takes "sparse", function(new, class)
   local problem = data.make(class)
   for i = 1, problem.X.rows do problem.X:set(i, i % problem.X.cols + 1, 0) end
   local settings = data.sparse_settings(class, use.precise(class))
   local sparse = core.Sparse.from(problem.X)
   local dense = new(settings):fit(problem.X, problem.y)
   local other = new(settings):fit(sparse, problem.y)
   use.close_outputs("fit on sparse rows", class, dense, other, problem.new, use.tolerance(class))
   for _, action in ipairs(use.actions) do
      if class.can[action] then
         local ok, where = tools.near(dense[action](dense, problem.X), dense[action](dense, sparse), 1e-9)
         need(ok, "%s of sparse rows gives %s", action, where)
      end
   end
end)

demand("a sparse X with nan or the wrong number of columns is an error", takes "sparse", function(new, class)
   local problem, settings = data.make(class), data.sparse_settings(class)
   local model = new(settings):fit(problem.X, problem.y)
   local bad, narrow = problem.X:copy(), core.Sparse.from(problem.X:slice(nil, nil, 1, 3))
   bad:set(2, 3, class.takes.missing and inf or nan)
   bad = core.Sparse.from(bad)
   local message = class.name .. ": X must be finite, got %a+ in row 2, column 3"
   refuses(class, "fit", { message }, function() new(settings):fit(bad, problem.y) end)
   for _, action in ipairs(use.actions) do
      if class.can[action] then
         refuses(class, action .. ", nan", { message }, model[action], model, bad)
         refuses(class, action .. ", 3 columns", { class.name .. ": X must have 4 columns, as in fit, got 3" },
            model[action], model, narrow)
      end
   end
end)

demand("X must be square if it holds pairwise values", takes "square", function(new, class)
   local problem = data.make(class)
   refuses(class, "not square", { class.name .. ": X must be square, got %d+ x %d+" }, function()
      new():fit(problem.X:slice(nil, nil, 1, problem.X.cols - 1), problem.y)
   end)
end)

demand("a factor column is an error that names it if unsupported", function(class)
   return class.core and not class.takes.factors and several_columns(class)
end, function(new, class)
   local problem = data.make(class)
   local frame = data.frame(problem.X)
   local text = {}
   for i = 1, problem.X.rows do text[i] = i % 2 == 0 and "low" or "high" end
   local ml = require "manilius"
   local mixed = ml.Frame { { "a", frame.a }, { "height", text }, { "c", frame.c }, { "d", frame.d } }
   refuses(class, "factor", { class.name .. ": X must be numeric, got a factor in column 2 %('height'%)" },
      function() new():fit(mixed, problem.y) end)
end)

-- Later Factors may have other levels: they are matched by label, not by code.
demand("factor columns are matched by label", function(class) return class.takes.factors and plain_x(class) end,
   function(new, class)
      local problem = data.make(class)
      local ml = require "manilius"
      local text, list = {}, { "2024-02-01", "2024-02-11", "2024-12-01" } -- labels that an estimator may read as dates
      for i = 1, problem.X.rows do text[i] = list[problem.group[i] % 3 + 1] end
      local function mixed(rows, reversed)
         local some, other = {}, data.frame(problem.X):take(rows)
         for i, at in ipairs(rows) do some[i] = text[at] end
         if class.takes.one_column then return ml.Frame { { "height", ml.Factor(some) } } end
         local columns = { { "height", ml.Factor(some) }, { "b", other.b } }
         return ml.Frame(reversed and { columns[2], columns[1] } or columns)
      end
      local all = core.range(problem.X.rows):totable()
      local model = new():fit(mixed(all), problem.y)
      local whole = use.outputs(model, class, mixed(all))
      for action, result in pairs(use.outputs(model, class, mixed({ 1 }, true))) do
         local first, alone = tools.values(result), tools.values(whole[action])
         need((#first > 0) == (#alone > 0), "%s returns nothing", action)
         if action == "predict" then need(first[1] == alone[1], "predict of the first row alone differs") end
      end
   end)

-- --- texts ---

demand("a list of texts, a Factor and a Frame give the same results", function(class)
   return class.takes.texts and not class.takes.records
end, function(new, class)
   local problem = data.make(class)
   local model, factor = new():fit(problem.X), problem.X.text
   use.same_outputs("a Factor", class, model, new():fit(factor), problem.new)
   use.same_outputs("a list", class, model, new():fit(factor:totable()), problem.new)
   local straight = use.outputs(model, class, problem.X)
   for what, X in pairs { Factor = factor, list = factor:totable() } do
      local difference = use.difference(straight, use.outputs(model, class, X), tools.equal)
      need(not difference, "%s: %s", what, difference)
   end
end)

demand("what is not a text is an error that names the row", takes "texts", function(new, class)
   local problem = data.make(class)
   local Frame = require("manilius").Frame
   local text = problem.X.text[1]
   for value, got in pairs { [3] = "3", [true] = "true" } do
      local message = class.name .. ": X must hold texts, got " .. got .. " in row 2, column 1 %('text'%)"
      refuses(class, got, { message }, function() new():fit(Frame { { "text", { text, value, text } } }) end)
   end
   refuses(class, "nil", { class.name .. ": X must have a text in every row, got nil in row 2" }, function()
      new():fit(Frame { { "text", core.Factor { text, nil, text, n = 3 } } })
   end)
   refuses(class, "numbers", { class.name .. ": X must be a list of .*, got numbers" },
      function() new():fit(core.ones(3, 1)) end)
   refuses(class, "two columns", { class.name .. ": X must have 1 column, got 2" }, function()
      new():fit(Frame { { "a", problem.X.text }, { "b", problem.X.text } })
   end)
   for _, X in ipairs { "a string", 3, core.Vector { 1, 2 }, core.Sparse.from(core.ones(2, 1)) } do
      refuses(class, tools.kind(X), { class.name .. ": X must be " }, function() new():fit(X) end)
   end
end)

-- --- names ---

-- The columns of a Matrix or Frame.
local function by_column(result)
   if tools.kind(result) == "Frame" then return result.columns end
   if tools.kind(result) ~= "Matrix" then return { result } end
   local columns = {}
   for j = 1, result.cols do columns[j] = result:col(j) end
   return columns
end

-- Numbers as floats: a column of a Frame may be marked as whole, a Matrix is not.
local function as_floats(values)
   local out = {}
   for i, value in ipairs(values) do out[i] = type(value) == "number" and value + 0.0 or value end
   return out
end

demand("a Frame of numbers gives the same results as its Matrix",
   function(class) return class.ours and plain_x(class) end,
   function(new, class)
      local problem = data.make(class)
      local plain, named = new():fit(problem.X, problem.y), new():fit(data.frame(problem.X), problem.y)
      local wanted, frame = use.outputs(plain, class, problem.new), data.frame(problem.new)
      for action, result in pairs(wanted) do
         local given = action == "inverse_transform" and named[action](named, wanted.transform)
            or named[action](named, frame)
         local same, where = tools.equal(as_floats(tools.values(by_column(result))),
            as_floats(tools.values(by_column(given))))
         need(same, "%s gives %s", action, where)
      end
   end)

demand("feature_names are stored, and later Frames are matched by name", function(class)
   return class.ours and several_columns(class)
end, function(new, class)
   local problem = data.make(class)
   local model = new():fit(data.frame(problem.X), problem.y)
   need(tools.equal(model.feature_names, { "a", "b", "c", "d" }), "feature_names are not those of the Frame")
   local plain = new():fit(problem.X, problem.y)
   need(plain.feature_names == nil, "feature_names must be nil for a Matrix")
   local straight = data.frame(problem.new)
   for _, action in ipairs(use.actions) do
      if class.can[action] then
         local result = model[action](model, data.frame(problem.new, { 3, 1, 4, 2 }))
         local same, where = tools.equal(model[action](model, straight), result)
         need(same, "%s of columns in another order gives %s", action, where)
      end
   end
end)

demand("a missing column is an error that names it",
   function(class) return class.ours and several_columns(class) end,
   function(new, class)
      local problem = data.make(class)
      local model = new():fit(data.frame(problem.X), problem.y)
      local function row(last, value)
         return require("manilius").Frame { { "a", { 1 } }, { "b", { 2 } }, { "c", { 3 } }, { last, { value } } }
      end
      for _, action in ipairs(use.actions) do
         if class.can[action] then
            refuses(class, action, { class.name .. ": X must have 4 columns, as in fit, got 3; missing: c" },
               model[action], model, data.frame(problem.new, { 1, 2, 4 }))
            -- A ColumnTransformer may not use the column; then its values must not matter.
            if not class.core and pcall(model[action], model, row("z", 4)) then
               local one, two = model[action](model, row("z", 4)), model[action](model, row("d", 5))
               need(tools.equal(one, two), "%s accepts X without column d, but its result depends on it", action)
            else
               refuses(class, action, { class.name .. ": X must have the columns of fit; missing: d" },
                  model[action], model, row("z", 4))
            end
         end
      end
   end)

demand("output_names names the columns of transform", function(class) return class.ours and class.can.transform end,
   function(new, class)
      local problem = data.make(class)
      for _, X in ipairs { problem.X, plain_x(class) and data.frame(problem.X) or nil } do
         local model, seen = new():fit(X, problem.y), {}
         local names, Z = model:output_names(), model:transform(problem.new)
         need(#names == Z.cols, "%d names for %d columns", #names, Z.cols)
         for _, name in ipairs(names) do
            need(not seen[name] and name ~= "", "the name '%s' is empty or occurs twice", name)
            seen[name] = true
         end
      end
      if class.takes.stateless then return end
      refuses(class, "output_names before fit", { class.name .. ": call fit before output_names" },
         function() return new():output_names() end)
   end)

return demands
