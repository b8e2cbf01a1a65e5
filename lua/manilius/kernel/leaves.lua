--- The leaf kernels of ml.kernel: their settings, their help, and the nodes that the core reads:
-- { part = "RBF", exponent, values, low, high, fixed, priors, columns, func, by_matrices }.

local core = require "manilius.core"
local rows = require "manilius.rows"
local text = require "manilius.text"

local M = { by_name = {}, help = {} }

local LOW, HIGH = 1e-5, 1e5 -- default bounds of hyperparameters

local LENGTH = { name = "length", initial = 1,
   brief = "length scale, in the units of X; or a list, one for each column (default 1)" }
local GAMMA = { name = "gamma", initial = 1, brief = "factor in the formula, > 0 (default 1)" }
local COEF0 = { name = "coef0", initial = 1, may_be_zero = true,
   brief = "constant term; a value <= 0 is kept fixed (default 1)" }

local RETURNS = "a kernel k with k:matrix(X, Y), k:diagonal(X), k:gradient(X), k:gradient_dot(X, W), k.theta, "
   .. "k.bounds, k.theta_names, k:with_theta(theta), k:save(path); kernels are combined with +, * and ^, "
   .. "also with numbers"

-- Each has `hypers`, its hyperparameters; `exponent`, a number that is none; settings of its example.
local definitions = {
   { name = "Linear", brief = "Linear kernel: x'y.",
      notes = "For an offset add a constant: ml.kernel.Linear {} + 1 is DotProduct of scikit-learn." },
   { name = "Polynomial", brief = "Polynomial kernel: (gamma x'y + coef0)^degree.", hypers = { GAMMA, COEF0 },
      exponent = { name = "degree", initial = 3, brief = "degree, > 0 (default 3)" }, example = "{ degree = 2 }" },
   { name = "RBF", brief = "RBF (Gaussian) kernel: exp(-r^2 / 2), r^2 = sum ((x_j - y_j) / length_j)^2.",
      hypers = { LENGTH }, example = "{ length = { 1, 2 } }",
      notes = "The kernel name 'rbf' of estimators has the parameter gamma = 1 / (2 length^2)." },
   { name = "Laplacian", brief = "Laplacian kernel: exp(-sum |x_j - y_j| / length_j).", hypers = { LENGTH } },
   { name = "OrnsteinUhlenbeck", brief = "Ornstein-Uhlenbeck kernel: exp(-r), r^2 = sum ((x_j - y_j) / length_j)^2.",
      hypers = { LENGTH } },
   { name = "Matern", brief = "Matern kernel with smoothness nu, a function of the distance over length.",
      hypers = { LENGTH }, exponent = { name = "nu", initial = 1.5, one_of = { 0.5, 1.5, 2.5 },
         brief = "smoothness: 0.5, 1.5 or 2.5 (default 1.5)" }, example = "{ length = 2, nu = 2.5 }",
      notes = "With r^2 = sum ((x_j - y_j) / length_j)^2: exp(-r) for nu = 0.5; (1 + a) exp(-a) with a = sqrt(3) r "
         .. "for nu = 1.5; (1 + b + b^2 / 3) exp(-b) with b = sqrt(5) r for nu = 2.5. A larger nu gives smoother "
         .. "functions." },
   { name = "RationalQuadratic", brief = "Rational quadratic kernel: (1 + r^2 / (2 alpha))^-alpha.",
      hypers = { LENGTH, { name = "alpha", initial = 1,
         brief = "a small alpha mixes a wide range of lengths, a large one approaches RBF (default 1)" } },
      notes = "r^2 = sum ((x_j - y_j) / length_j)^2." },
   { name = "Periodic", brief = "Periodic kernel: exp(-2 sum sin^2(pi (x_j - y_j) / period) / length_j^2).",
      hypers = { LENGTH, { name = "period", initial = 1, brief = "period, in the units of X (default 1)" } },
      example = "{ period = 12 }",
      notes = "length has no unit. With several columns this is the product of the kernels of the columns; "
         .. "scikit-learn takes the sine of the distance, which is not positive semidefinite." },
   { name = "Sigmoid", brief = "Sigmoid kernel: tanh(gamma x'y + coef0); not positive semidefinite.",
      hypers = { GAMMA, COEF0 } },
   { name = "Cosine", brief = "Cosine kernel: x'y / (|x| |y|)." },
   { name = "Chi2", brief = "Chi-squared kernel: exp(-gamma sum (x_j - y_j)^2 / (x_j + y_j)), X >= 0.",
      hypers = { GAMMA } },
   { name = "White", brief = "White noise: noise on the diagonal of k(X, X), 0 between two sets of rows.",
      no_columns = true, example = "{ noise = 0.1 }",
      hypers = { { name = "noise", initial = 1, brief = "variance of the noise (default 1)" } } },
   { name = "Constant", brief = "Constant kernel: the same value for every pair of rows.", no_columns = true,
      example = "{ value = 2 }",
      hypers = { { name = "value", initial = 1, brief = "the constant, > 0 (default 1)" } } },
   { name = "Precomputed", brief = "Precomputed kernel: X is the kernel matrix, a column for each training row.",
      no_columns = true },
}

local function describe(leaf)
   local params = {}
   if leaf.exponent then params[1] = { name = leaf.exponent.name, brief = leaf.exponent.brief } end
   for _, p in ipairs(leaf.hypers) do params[#params + 1] = { name = p.name, brief = p.brief } end
   if #leaf.hypers > 0 then
      params[#params + 1] = { name = "bounds", brief = "limits of searches over theta: { low, high } for all "
         .. "hyperparameters, or { name = { low, high } } (default { 1e-5, 1e5 })" }
      params[#params + 1] = { name = "fixed", brief = "names of hyperparameters that stay fixed and are not in "
         .. "theta, or true for all (default none)" }
      params[#params + 1] = { name = "prior", brief = "densities of hyperparameters for estimates of largest posterior "
         .. "density in Gaussian processes: { name = { family, ... } }, with { \"lognormal\", mean and sd of the "
         .. "logarithm }, { \"gamma\", shape, rate }, { \"inverse_gamma\", shape, scale } or { \"half_normal\", "
         .. "scale } (default none)" }
   end
   if not leaf.no_columns then
      params[#params + 1] = { name = "columns", brief = "columns of X to use, by number or name (default all)" }
   end
   return params
end

for _, leaf in ipairs(definitions) do
   local name = leaf.name
   leaf.hypers = leaf.hypers or {}
   M.by_name[name] = leaf
   M.help[name] = { name = name, args = { "settings" }, brief = leaf.brief, params = describe(leaf), returns = RETURNS,
      notes = leaf.notes, example = ("local k = ml.kernel.%s %s\nprint(k, k:matrix { { 1, 2 }, { 2, 3 } })"):format(
         name, leaf.example or "{}") }
end

M.by_name.Function = { name = "Function", hypers = {}, is_function = true }
M.help.Function = { name = "Function", args = { "settings" }, brief = "Kernel given by a Lua function of two rows or "
   .. "of two matrices.",
   params = {
      { name = "rows", brief = "function of two Vectors that returns a number; it can also take the place of "
         .. "settings" },
      { name = "matrices", brief = "instead of rows, and faster: function of two Matrices with m and n rows that "
         .. "returns an m x n Matrix" },
      { name = "columns", brief = "columns of X to use, by number or name (default all)" },
   }, returns = RETURNS,
   notes = "The function must be symmetric. It runs on the Lua thread only, so fit_async does not accept it. It "
      .. "has no gradient and cannot be saved.",
   example = [[
local k = ml.kernel.Function { rows = function(x, y) return math.min(x[1], y[1]) end }
print(k:matrix { { 1 }, { 2 }, { 3 } })]] }
M.help.Precomputed.example = "print(ml.kernel.Precomputed {}:matrix { { 2, 1 }, { 1, 2 } })"

-- --- nodes ---

local function fail(leaf, ...)
   error(("kernel.%s: %s"):format(leaf.name, string.format(...)), 0)
end

local function known_names(leaf)
   local names = {}
   for _, p in ipairs(leaf.hypers) do names[#names + 1] = p.name end
   if leaf.exponent then names[#names + 1] = leaf.exponent.name end
   if #leaf.hypers > 0 then
      for _, name in ipairs { "bounds", "fixed", "prior" } do names[#names + 1] = name end
   end
   if not leaf.no_columns then names[#names + 1] = "columns" end
   if leaf.is_function then names[#names + 1], names[#names + 2] = "rows", "matrices" end
   return names
end

local function check_names(leaf, settings)
   local names = known_names(leaf)
   for name in pairs(settings) do
      if not text.contains(names, name) then
         fail(leaf, "there is no setting '%s'%s", tostring(name), text.hint(name, names))
      end
   end
end

local function check_number(leaf, p, value)
   local fits = type(value) == "number" and (p.may_be_zero and value > -math.huge or value > 0) and value < math.huge
   if not fits then
      fail(leaf, "%s must be a %s, got %s", p.name, p.may_be_zero and "finite number" or "number > 0",
         type(value) == "number" and text.number(value) or rows.kind(value))
   end
   return value + 0.0
end

-- The values of a hyperparameter: one, or of a length a list.
local function values_of(leaf, p, given)
   local kind = rows.kind(given)
   if p.name ~= "length" or kind ~= "table" and kind ~= "Vector" then return { check_number(leaf, p, given) } end
   local list = {}
   for j = 1, #given do list[j] = check_number(leaf, p, given[j]) end
   if #list == 0 then fail(leaf, "length must be a number > 0 or a list of them, got an empty list") end
   return list
end

local function bounds_of(leaf, p, bounds)
   if bounds == nil then return LOW, HIGH end
   if rows.kind(bounds) ~= "table" then
      fail(leaf, "bounds must be { low, high } or { %s = { low, high } }, got %s", p.name, rows.kind(bounds))
   end
   local pair = bounds
   if bounds[1] == nil then pair = bounds[p.name] end
   if pair == nil then return LOW, HIGH end
   local low, high = type(pair) == "table" and pair[1], type(pair) == "table" and pair[2]
   if type(low) ~= "number" or type(high) ~= "number" or not (low > 0 and high < math.huge and low <= high) then
      fail(leaf, "bounds of %s must be { low, high } with 0 < low <= high", p.name)
   end
   return low, high
end

local PRIORS = { lognormal = 2, gamma = 2, inverse_gamma = 2, half_normal = 1 } -- with their numbers of parameters

local function prior_of(leaf, p, priors)
   local prior = priors and priors[p.name]
   if prior == nil then return nil end
   local count = type(prior) == "table" and PRIORS[prior[1]]
   if not count then
      fail(leaf, "prior of %s must begin with one of %s, got %s", p.name, table.concat(text.sorted_keys(PRIORS), ", "),
         type(prior) == "table" and tostring(prior[1]) or rows.kind(prior))
   end
   for i = 2, count + 1 do
      local above = (prior[1] == "lognormal" and i == 2) and -math.huge or 0
      if type(prior[i]) ~= "number" or not (prior[i] > above and prior[i] < math.huge) then
         fail(leaf, "prior of %s: number %d of %s must be %s", p.name, i - 1, prior[1],
            above == 0 and "> 0" or "finite")
      end
   end
   if #prior > count + 1 then
      fail(leaf, "prior of %s: %s has %s, got %d", p.name, prior[1], text.plural(count, "number"), #prior - 1)
   end
   return { prior[1], prior[2] + 0.0, prior[3] and prior[3] + 0.0 }
end

local function is_fixed(p, fixed, value)
   if p.may_be_zero and value <= 0 then return true end
   return fixed == true or fixed == p.name or type(fixed) == "table" and text.contains(fixed, p.name)
end

-- Names in bounds, fixed and prior must be those of hyperparameters.
local function check_references(leaf, settings)
   local names = {}
   for i, p in ipairs(leaf.hypers) do names[i] = p.name end
   local function check(name, what)
      if not text.contains(names, name) then
         fail(leaf, "%s: there is no hyperparameter '%s'%s", what, tostring(name), text.hint(name, names))
      end
   end
   local fixed, bounds = settings.fixed, settings.bounds
   if type(fixed) == "table" then
      for _, name in ipairs(fixed) do check(name, "fixed") end
   elseif fixed ~= nil and type(fixed) ~= "boolean" then
      check(fixed, "fixed")
   end
   if type(bounds) == "table" and bounds[1] == nil then
      for name in pairs(bounds) do check(name, "bounds") end
   end
   if settings.prior ~= nil then
      if rows.kind(settings.prior) ~= "table" then
         fail(leaf, "prior must be { %s = { family, ... } }, got %s", names[1], rows.kind(settings.prior))
      end
      for name in pairs(settings.prior) do check(name, "prior") end
   end
end

local function add_hypers(leaf, settings, node)
   check_references(leaf, settings)
   for _, p in ipairs(leaf.hypers) do
      local given = settings[p.name]
      if given == nil then given = p.initial end
      local low, high = bounds_of(leaf, p, settings.bounds)
      for _, value in ipairs(values_of(leaf, p, given)) do
         local n = #node.values + 1
         node.values[n], node.low[n], node.high[n] = value, low, high
         node.fixed[n] = is_fixed(p, settings.fixed, value)
         node.priors[n] = prior_of(leaf, p, settings.prior)
      end
   end
end

local function exponent_of(leaf, given)
   local p = leaf.exponent
   if not p then return 0.0 end
   if given == nil then given = p.initial end
   given = check_number(leaf, p, given)
   if p.one_of and not text.contains(p.one_of, given) then
      fail(leaf, "%s must be 0.5, 1.5 or 2.5, got %s; for a very smooth kernel use RBF", p.name, text.number(given))
   end
   return given
end

local function columns_of(leaf, columns)
   if columns == nil then return {} end
   local kind = rows.kind(columns)
   if kind == "string" or kind == "number" then columns = { columns } end
   if type(columns) ~= "table" or #columns == 0 then
      fail(leaf, "columns must be a list of numbers, from 1, or names, got %s",
         kind == "table" and "an empty list" or kind)
   end
   local list = {}
   for j, column in ipairs(columns) do
      local fits = type(column) == "string" and column ~= "" or type(column) == "number" and column >= 1
         and column % 1 == 0
      if not fits then
         fail(leaf, "columns must be given by number, from 1, or by name, got %s", type(column) == "number"
            and text.number(column) or rows.kind(column))
      end
      list[j] = column
   end
   return list
end

local function add_function(leaf, settings, node)
   node.by_matrices = settings.matrices ~= nil
   node.func = settings.matrices
   if node.func == nil then node.func = settings.rows end
   if settings.matrices ~= nil and settings.rows ~= nil then fail(leaf, "give either rows or matrices, not both") end
   if type(node.func) ~= "function" then
      fail(leaf, "%s must be a function, got %s", node.by_matrices and "matrices" or "rows", rows.kind(node.func))
   end
end

--- The node of a leaf kernel with these settings. Raises.
function M.node(leaf, settings)
   if settings == nil then settings = {} end
   if leaf.is_function and type(settings) == "function" then settings = { rows = settings } end
   if rows.kind(settings) ~= "table" then
      fail(leaf, "settings must be a table, got %s", rows.kind(settings))
   end
   check_names(leaf, settings)
   local node = { part = leaf.name, values = {}, low = {}, high = {}, fixed = {}, priors = {},
      exponent = exponent_of(leaf, leaf.exponent and settings[leaf.exponent.name]),
      columns = columns_of(leaf, settings.columns) }
   add_hypers(leaf, settings, node)
   if leaf.is_function then add_function(leaf, settings, node) end
   if #node.columns > 0 and leaf.hypers[1] == LENGTH then
      local lengths = #node.values - #leaf.hypers + 1
      if lengths > 1 and lengths ~= #node.columns then
         fail(leaf, "there are %d lengths for %d columns; give one, or one for each", lengths, #node.columns)
      end
   end
   return node
end

--- The settings of a node by name.
function M.settings_of(node)
   local out, leaf = {}, M.by_name[node.part]
   if not leaf then return out end
   local lengths = #node.values - #leaf.hypers + 1
   for i, p in ipairs(leaf.hypers) do out[p.name] = node.values[#node.values - #leaf.hypers + i] end
   if leaf.hypers[1] == LENGTH then
      out.length = lengths > 1 and core.Vector(table.move(node.values, 1, lengths, 1, {})) or node.values[1]
   end
   if leaf.exponent then out[leaf.exponent.name] = node.exponent end
   if #node.columns > 0 then out.columns = setmetatable(node.columns, core.list_meta) end
   return out
end

return M
