--- Prints learned values and outputs of every estimator, results of numerical functions and of the CSV reader, one list
-- of numbers per line. cpu_spec.lua runs it with each variant of the kernels (MANILIUS_CPU).
local core = require "manilius.core"
local ml = require "manilius"
local data = require "manilius.check.data"
local tools, use = require "manilius.check.tools", require "manilius.check.use"
local text = require "manilius.text"

local function show(name, value)
   local words = {}
   for i, one in ipairs(tools.values(value)) do
      words[i] = math.type(one) == "float" and ("%.17g"):format(one) or tostring(one):gsub("%s", "_")
   end
   print(name .. "\t" .. table.concat(words, " "))
end

-- Sorted by name.
local function show_all(name, values)
   for _, key in ipairs(text.sorted_keys(values)) do show(name .. "." .. key, values[key]) end
end

-- Converged as far as 1000 iterations lead, except for boosted trees, which do not converge.
local function settings(class)
   local precise = use.precise(class)
   -- With a weak penalty the last digits of the objective leave six digits of the coefficients.
   if data.has_param(class, "c2") then precise.c2 = 5 end
   precise.max_iter = precise.max_iter and (data.has_param(class, "max_leaf_nodes") and 50 or 1000)
   return precise
end

local function estimators()
   for name, class, new, problem in require "spec.lua.every" { rows = 301, cols = 19 } do
      local model = new(settings(class)):fit(problem.X, problem.y)
      if not class.does.iterate then show_all(name, use.learned(model, class)) end
      show_all(name, use.outputs(model, class, problem.new))
      if class.takes.weights then
         local weights = core.Vector(problem.X.rows)
         for i = 1, #weights do weights[i] = i % 5 / 2 + 0.5 end
         model = new(settings(class)):fit(problem.X, problem.y, { weights = weights })
         show_all(name .. " weighted", use.outputs(model, class, problem.new))
      end
   end
end

local function numbers()
   local X, Z = ml.normal(67, 41, 3), ml.normal(67, 41, 4)
   for _, name in ipairs { "exp", "expm1", "log", "log1p", "sin", "cos", "tanh", "sigmoid" } do
      show(name, X[name](X:abs() + 0.5))
   end
   for _, name in ipairs { "sum", "mean", "std", "min", "max", "norm" } do
      show(name, { X[name](X) })
      if name ~= "norm" then show(name .. " of columns", X[name](X, "rows")) end
   end
   show("product", X * Z:t())
   show("times a vector", X * Z[1]:copy())
   show("times a vector from the left", X:t() * Z:col(1):copy())
   show("dot", { X:dot(Z) })
   local labels = ml.KMeans { n_clusters = 4 }:fit_predict(X)
   for _, metric in ipairs { "euclidean", "manhattan", "cosine", "correlation", "chebyshev", "minkowski", "hamming" } do
      for _, algorithm in ipairs { "brute", "kd_tree" } do
         local near = ml.KNeighborsClassifier { metric = metric, n_neighbors = 7, algorithm = algorithm }:fit(X, labels)
         show("nearest " .. metric, near:predict_proba(Z))
      end
   end
   for _, metric in ipairs { "euclidean", "manhattan", "cosine" } do
      show("silhouette " .. metric, { ml.metrics.silhouette(X, labels, { metric = metric }) })
   end
end

-- Quoted quotes, commas and line ends at every position of blocks of 32 and 64 bytes.
local function files()
   local lines = { "a,b,c" }
   for i = 1, 300 do
      local inner = ("x"):rep(i % 71) .. (i % 3 == 0 and '""' or i % 3 == 1 and "\n" or ",") .. ("y"):rep(i * 7 % 67)
      lines[#lines + 1] = ('%d,"%s",%.17g'):format(i, inner, math.sin(i))
   end
   show("csv", ml.parse_csv(table.concat(lines, "\n"), { types = { b = "factor" } }))
end

print("variant\t" .. ml.about().product)
estimators()
numbers()
files()
