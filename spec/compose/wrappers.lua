--- Data and fixture of the specs of wrappers.
local ml = require "manilius"
local support = require "spec.support"

local M = { fixture = require "spec.fixtures.compose.wrappers" }

--- The rows that the fixture records: 1, 12, 23, ...
function M.few(n)
   local at = {}
   for i = 1, n, 11 do at[#at + 1] = i end
   return at
end

--- Exercises and body measures, as Frames.
function M.linnerud()
   local frame = ml.read_csv "examples/data/linnerud.csv"
   return frame:select { "chins", "situps", "jumps" }, frame:select { "weight", "waist", "pulse" }
end

--- Eight scaled columns of the wines, and three tags: is one of the first columns above its median?
function M.tags()
   local wine = support.data("wine", "class"):matrix()
   local columns, tags = {}, {}
   for j = 1, 3 do
      local column = wine:col(j):copy()
      tags[j] = column:gt(column:quantile(0.5))
   end
   for j = 4, 11 do
      local column = wine:col(j):copy()
      local centered = column - column:mean()
      columns[j - 3] = centered / math.sqrt(centered:dot(centered) / wine.rows)
   end
   return ml.hcat(table.unpack(columns)), ml.hcat(table.unpack(tags))
end

return M
