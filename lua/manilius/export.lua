--- model:export_c() and model:export_lua() write a fitted model as a self-contained program;
-- model:export_xgboost() writes boosted trees, forests and decision trees for XGBoost.

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local rows = require "manilius.rows"

local M = {}

local function check_name(who, name)
   if type(name) ~= "string" or not name:find "^%a[%w_]*$" or #name > 40 then
      error(("%s: name must be an identifier of at most 40 letters, digits and '_', got %s"):format(who,
         type(name) == "string" and ("%q"):format(name) or type(name)), 0)
   end
   return name
end

-- export_c([path] [, options])
local function read_arguments(method, path, options)
   if options == nil and type(path) == "table" then path, options = nil, path end
   if path ~= nil and type(path) ~= "string" then
      error(("%s: path must be a string, got %s"):format(method, type(path)), 0)
   end
   if options ~= nil and type(options) ~= "table" then
      error(("%s: options must be a table, got %s"):format(method, type(options)), 0)
   end
   for key in pairs(options or {}) do
      if key ~= "name" then
         error(("%s has no option '%s'%s"):format(method, tostring(key), estimator.hint(key, { "name" })), 0)
      end
   end
   return path, options and options.name
end

local function write(model, method, language, path, options)
   local name
   path, name = read_arguments(method, path, options)
   if path and not (io and io.open) then
      error(("%s needs the io library to write to a path; omit the path to get the text"):format(method), 0)
   end
   name = check_name(method, name == nil and "model" or name)
   local graph = require("manilius.export.graph").build(model)
   local text = require("manilius.export." .. language).write(graph, name)
   if not path then return text end
   core.write_bytes(path, text)
   return model
end

local function method_of(method, language)
   return function(model, path, options, level)
      return (rows.rethrow((level or 1) + 1, pcall(write, model, method, language, path, options)))
   end
end

--- The model as C code; with a path, writes the code to it and returns the model.
M.export_c = method_of("export_c", "c")

--- The same in Lua.
M.export_lua = method_of("export_lua", "lua")

local function write_xgboost(model, path)
   local who = "export_xgboost"
   if path ~= nil and type(path) ~= "string" then
      error(("%s: path must be a string, got %s"):format(who, type(path)), 0)
   end
   if not (rows.kind(model) == "Model" and estimator.can(model, "trees")) then
      error(("%s cannot be exported to XGBoost; supported are GradientBoosting*, HistGradientBoosting*, RandomForest*, "
         .. "ExtraTrees* and DecisionTree*"):format(estimator.name(model)), 0)
   end
   if not model.fitted then error(("%s: call fit before %s"):format(estimator.name(model), who), 0) end
   local json = require("manilius.export.xgboost").write(model)
   if not path then return json end
   core.write_bytes(path, json)
   return model
end

--- Boosted trees, a forest or a tree in XGBoost's JSON format; with a path, writes it and returns the model.
function M.export_xgboost(model, path, level)
   return (rows.rethrow((level or 1) + 1, pcall(write_xgboost, model, path)))
end

return M
