--- An error shows where the user called, never a place in our own files.
local ml = require "manilius"
require "manilius.classes"

local OURS = "lua/manilius/[%w_/]+%.lua:%d+"

local X, y = ml.Matrix { { 1, 2 }, { 2, 1 }, { 3, 5 }, { 4, 4 }, { 5, 1 }, { 6, 2 } }, ml.Vector { 1, 2, 3, 4, 5, 6 }
local frame = ml.Frame { { "a", { 1, 2, 3, 4, 5, 6 } }, { "b", ml.Factor { "u", "v", "u", "v", "u", "v" } } }
local labels = { "p", "q", "p", "q", "p", "q" }
local ridge = ml.Ridge {}

-- What people give by mistake.
local wrong = { {}, { 1 }, { "no/such" }, { {} }, { { 1, 2 } }, { X }, { frame }, { y }, { X, y }, { X, labels },
   { X, "u" }, { X, y, { zzz = 1 } }, { X, y, 3 }, { frame, y }, { true }, { print }, { X, nil, { k = -1 } },
   { { zzz = 1 } },
   { y, y }, { { 1, 2, 3 }, { 1, 2 } }, { labels, labels }, { y, X }, { -1 }, { "a", "b" }, { ridge }, { ridge, X },
   { ridge, X, y, { zzz = 1 } }, { ridge, X, y, { cv = 1 } }, { frame, "no/such" } }

-- Writes, prints, or sets what holds for all.
local apart = { save = true, show = true, threads = true, progress = true, memory = true, help = true, find = true,
   check = true, about = true, compare = true, report = true }

local function try(name, f, self)
   for i, given in ipairs(wrong) do
      local ok, message = pcall(function()
         if self == nil then return f(table.unpack(given)) end
         return f(self, table.unpack(given))
      end)
      local place = not ok and tostring(message):match(OURS)
      assert(not place, ("%s, call %d: %s"):format(name, i, message))
   end
end

local function try_methods(object)
   local names = { "fit", "predict", "transform", "score", "output_names", "partial_fit", "predict_proba",
      "decision_function", "inverse_transform", "fit_transform", "fit_predict", "set_params", "export_c", "export_lua",
      "export_xgboost", "dump", "clone", "can", "predict_log_proba", "score_samples", "summary", "intervals" }
   for name, value in pairs(object) do
      if type(name) == "string" and type(value) == "function" then names[#names + 1] = name end
   end
   for _, name in ipairs(names) do
      local ok, method = pcall(function() return object[name] end)
      if not ok then assert(not tostring(method):find(OURS), method) end
      local usable = ok and type(method) == "function" and not apart[name] and not name:find "^write"
      if usable then try(tostring(object):match "^%w+" .. ":" .. name, method, object) end
   end
end

describe("An error shows no place in our own files", function()
   it("from functions", function()
      for name, value in pairs(ml) do
         if type(value) == "function" and not apart[name] then try(name, value) end
      end
      for _, module in ipairs { "metrics", "special" } do
         for name in pairs(ml[module].help) do
            if type(ml[module][name]) == "function" then try(module .. "." .. name, ml[module][name]) end
         end
      end
   end)

   it("from methods of compositions, models and results", function()
      for _, object in ipairs { ml.Pipeline { ml.StandardScaler {}, ridge },
         ml.Pipeline { ml.StandardScaler {}, ridge }:fit(X, y), ml.Pipeline { ml.StandardScaler {}, ml.PCA {} }:fit(X),
         ml.FeatureUnion { ml.StandardScaler {} }:fit(X),
         ml.ColumnTransformer { { ml.StandardScaler {}, { 1 } } }:fit(X),
         ml.GridSearch { ridge, { alpha = { 1, 2 } }, cv = 2 },
         ml.GridSearch { ridge, { alpha = { 1, 2 } }, cv = 2 }:fit(X, y),
         ml.VotingRegressor { ridge, ml.LinearRegression {} }:fit(X, y),
         ml.StackingRegressor { ridge, ml.LinearRegression {}, cv = 2 }:fit(X, y),
         ml.BaggingRegressor { ridge, n_estimators = 2 }:fit(X, y), ml.RANSACRegressor {}:fit(X, y),
         ml.TransformedTarget { regressor = ridge, func = "log" }:fit(X, y), ml.PolynomialRegression {}:fit(X, y),
         ml.LinearRegression { formula = "a ~ b" }:fit(frame), ridge:clone():fit(X, y), ml.GaussianNB {}:fit(X, labels),
         ml.KMeans { n_clusters = 2 }:fit(X), ml.cross_validate(ridge, X, y, { cv = 2 }), ml.KFold { k = 2 } } do
         try_methods(object)
      end
   end)

   -- Every call of error in the Lua files says whose place it shows: none (0), or a caller's.
   it("for each of them says whose place it shows", function()
      local list = assert(io.popen "find lua/manilius -name '*.lua' -not -path '*/library/*' -not -path '*/manual/*'")
      for path in list:lines() do
         local file = assert(io.open(path))
         local text = file:read "a":gsub("%-%-[^\n]*", "")
         file:close()
         for call in text:gmatch "%f[%w_.]error(%b())" do
            local bare = call:sub(2, -2):gsub("%b()", ""):gsub('"[^"]*"', ""):gsub("%b{}", "")
            local elsewhere = call:find '^%(\\"' or call == "(reason)" -- in a program that is written; a user's own
            assert(elsewhere or bare:find ",", ("%s: error%s"):format(path, call))
         end
      end
      list:close()
   end)
end)
