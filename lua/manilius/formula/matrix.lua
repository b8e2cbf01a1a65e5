--- ml.design_matrix: the columns that a formula makes of a Frame.

local core = require "manilius.core"
local design = require "manilius.formula.design"
local rows = require "manilius.rows"

local M = { help = {} }

M.help.design_matrix = {
   args = { "formula", "frame" },
   brief = "The design matrix of a formula: R's model.matrix.",
   returns = "a Frame with a column per coefficient, (Intercept) first unless the formula has none; and the target, "
      .. "or nil if the formula has no left side",
   notes = "See FormulaModel for the terms of formulas. An offset is the last column.",
   example = [[
local cars = ml.read_csv "examples/data/mtcars.csv"
local X, y = ml.design_matrix("mpg ~ wt * factor(am)", cars)
print(X:head(3), y:slice(1, 3))]],
}

local function make(formula, frame)
   if not rows.is_frame(frame) then
      error(("design_matrix: frame must be a Frame, got %s"):format(rows.kind(frame)), 0)
   end
   local learned = design.learn(formula, frame)
   local y = design.left(formula, frame, learned, true)
   local X = design.apply(learned, frame)
   local names, columns = {}, {}
   if learned.constant then names[1], columns[1] = "(Intercept)", core.Vector(rows.count(frame), 1) end
   for j, column in ipairs(rows.is_frame(X) and X.columns or {}) do
      names[#names + 1], columns[#columns + 1] = X.names[j], column
   end
   return rows.frame(names, columns), y
end

--- The design matrix of a formula for a Frame, and the target.
function M.design_matrix(formula, frame)
   return rows.rethrow(1, pcall(make, formula, frame))
end

return M
