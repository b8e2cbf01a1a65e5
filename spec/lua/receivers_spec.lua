--- A method called on another value than its own raises an error, which names the method. The calls are in
-- receivers.lua.
local ml = require "manilius"
local core = require "manilius.core"
local receivers = require "spec.lua.receivers"
local run = require "spec.lua.child"
local refuses = require "spec.support".refuses

local X, y = { { 1 }, { 2 }, { 4 } }, { 1, 2, 3 }

describe("a method", function()
   it("of one class is refused by models of all others", function()
      local count, failures = receivers.operations()
      assert.is_true(count > 1000)
      assert.same({}, failures)
      refuses("^%S+:%d+: nodes: this is a method of DecisionTreeRegressor, got Lasso; call it with a colon", function()
         ml.DecisionTreeRegressor {}.nodes(ml.Lasso {}:fit(X, y))
      end)
   end)

   it("of any kind of value survives receivers of all kinds", function()
      run "require 'spec.lua.receivers'.methods()"
   end)

   it("of a model names itself when the model is missing", function()
      local model = ml.Ridge {}
      for _, name in ipairs { "fit", "fit_async", "set_params", "get_params", "clone", "can", "dump", "predict",
         "score" } do
         for _, wrong in ipairs { { X }, { {} }, { ml.Matrix(X) }, { 1 }, {} } do
            refuses(name .. ": call it with a colon, as in model:" .. name .. "%(...%), got ", model[name], wrong[1], y)
         end
      end
      local frame = ml.Frame { a = { 1, 2 } }
      for _, class in ipairs { ml.AdaBoostClassifier {}, ml.Pipeline { ml.PCA {}, ml.Ridge {} } } do
         for _, name in ipairs { "set_params", "get_params", "clone", "can" } do
            local text = name .. ": call it with a colon, as in model:" .. name .. "%(...%), got "
            refuses(text .. "Ridge in place of the model", class[name], model, {})
            refuses(text .. "Frame in place of the model", class[name], frame, {})
         end
      end
      refuses("staged_predict: call it with a colon, as in model:staged_predict%(...%), got Frame",
         ml.AdaBoostClassifier {}.staged_predict, frame, X)
      refuses("staged_predict: call it with a colon, as in model:staged_predict%(...%), got Ridge",
         ml.AdaBoostClassifier {}.staged_predict, model, X)
      refuses("partial_fit: call it with a colon", ml.SGDRegressor {}.partial_fit, X, y)
      refuses("output_names: call it with a colon", ml.PCA {}.output_names)
      refuses("Ridge: can requires the name of a method, got nil", model.can, model)
      refuses("Ridge: set_params requires a table of parameters, got number", model.set_params, model, 1)
   end)
end)

describe("a method of a Frame", function()
   local frame = ml.Frame { a = { 1, 2 }, b = { "x", "y" } }

   it("called with a dot reports the missing colon", function()
      for name, method in pairs(require "manilius.frame".methods()) do
         if not core.frame_methods[name] then
            local pattern = name .. ": call it with a colon, as in frame:" .. name .. "%(...%), got "
            for _, wrong in ipairs { { { columns = "x" } }, { { names = { "a" }, columns = "xy" } }, { X }, {} } do
               refuses(pattern, method, wrong[1], { 1 })
            end
         end
      end
      refuses("^%S+receivers_spec.lua:%d+: matrix: call it with a colon", function() frame.matrix { columns = "x" } end)
   end)

   it("refuses overwritten columns", function()
      local unequal = { ml.Vector { 1 }, ml.Vector { 1, 2 } }
      for _, columns in ipairs { { "xy" }, { { "xy", "z" } }, { { 1, 2 } }, { unequal } } do
         local broken = ml.Frame(frame)
         rawset(broken, "columns", columns[1])
         for _, method in pairs(require "manilius.frame".methods()) do
            pcall(method, broken, { 1 })
         end
         refuses("column", function() return broken:take { 1 } end)
      end
      rawset(frame, "names", nil)
      refuses("head: a Frame must have lists of names and columns", function() return frame:head() end)
   end)
end)
