--- Export of selectors of columns: the selected columns, and for RFE and RFECV the estimator fitted to them.
--
-- A maker: function(graph, model, action) -> node, or nil where there is no such action.

local nodes = require "manilius.export.nodes"

local M = {}

local function selected(model)
   local columns = {}
   for i, j in ipairs(model.support:totable()) do columns[i] = math.tointeger(j) - 1 end
   if #columns == 0 then nodes.fail(model, "no column was selected") end
   return nodes.parallel({ { node = nodes.pass(#columns), columns = columns } }, model.n_features)
end

local function selector(_, model, action)
   return action == "transform" and selected(model) or nil
end

M.SelectFromModel, M.SequentialFeatureSelector = selector, selector
M.StabilitySelection, M.Boruta = selector, selector

local function eliminator(graph, model, action)
   if action == "transform" then return selected(model) end
   local final = graph:node(model.best, action)
   return final and nodes.chain { selected(model), final } or nil
end

M.RFE, M.RFECV = eliminator, eliminator

return M
