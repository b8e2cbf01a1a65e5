--- Out-of-fold outputs of all folds as one value in the order of the rows.

local core = require "manilius.core"
local rows = require "manilius.rows"

local function join_factors(parts, position)
   local labels, next = {}, 0
   for _, part in ipairs(parts) do
      for i = 1, #part do labels[next + i] = part[i] end
      next = next + #part
   end
   labels.n = next
   return core.Factor(labels):take(position)
end

-- The columns of a fold's model, which may lack classes, in the order of all classes.
local function expand_classes(part, classes, all)
   if #classes == #all then return part end
   local position, out = {}, core.zeros(part.rows, #all)
   for c, label in ipairs(all) do position[label] = c end
   for c, label in ipairs(classes) do
      for i = 1, part.rows do out:set(i, position[label], part:get(i, c)) end
   end
   return out
end

local by_class = { predict_proba = true, predict_log_proba = true }

-- Pieces of one output, one per fold, concatenated and permuted.
local function join_pieces(pieces, position)
   local kind = rows.kind(pieces[1])
   if kind == "Factor" then return join_factors(pieces, position) end
   if kind == "Matrix" then return core.vcat(table.unpack(pieces)):take(position) end
   local whole, columns = pieces[1].whole, {}
   for i, piece in ipairs(pieces) do columns[i] = piece:as_column() end
   local joined = core.vcat(table.unpack(columns)):flatten():take(position)
   return whole and core.Vector(joined:totable()) or joined
end

-- The same for probabilities of the classes of y; classes: those of each fold.
local function join_by_class(pieces, classes, y, position)
   local all, expanded = core.Factor(y).levels, {}
   for i, piece in ipairs(pieces) do expanded[i] = expand_classes(piece, classes[i], all) end
   return core.name_columns(join_pieces(expanded, position), all)
end

local function column(value, j)
   return rows.kind(value) == "Matrix" and value:col(j):copy() or value.columns[j]
end

-- The same for each target of a y with several columns. outputs: by fold, Frames or lists.
local function join_targets(outputs, method, results, y, position)
   local joined = {}
   for j = 1, rows.width(y) do
      local pieces, classes = {}, {}
      for i, output in ipairs(outputs) do
         pieces[i] = by_class[method] and output[j] or output.columns[j]
         classes[i] = by_class[method] and results[i].classes[j]
      end
      joined[j] = by_class[method] and join_by_class(pieces, classes, column(y, j), position)
         or join_pieces(pieces, position)
   end
   return by_class[method] and joined or rows.frame(table.move(y.names, 1, #y.names, 1, {}), joined)
end

--- The outputs of a method on the test rows of all folds, concatenated and then permuted by `position`.
-- results: of evaluate.run, one per fold
return function(results, method, y, position)
   local outputs, classes = {}, {}
   for i, result in ipairs(results) do outputs[i], classes[i] = result.test[method], result.classes end
   local kind = rows.kind(outputs[1])
   if kind == "table" or kind == "Frame" then return join_targets(outputs, method, results, y, position) end
   if by_class[method] then return join_by_class(outputs, classes, y, position) end
   return join_pieces(outputs, position)
end
