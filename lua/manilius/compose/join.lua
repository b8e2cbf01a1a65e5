--- Concatenate the outputs of the parts of FeatureUnion and ColumnTransformer.

local composite = require "manilius.compose.composite"
local core = require "manilius.core"
local estimator = require "manilius.estimator"
local rows = require "manilius.rows"

local M = {}

--- Raise an error for options that are not addressed to a part.
function M.refuse_options(self, own)
   local name = next(own)
   if name == nil then return end
   error(("%s: has no option %s; to pass it to a part, give its name, as in %s__%s"):format(estimator.name(self),
      name, self.names[1], name), 0)
end

-- The outputs of the parts; `transformed` has no entries for dropped parts.
local function present_parts(self, transformed)
   local list = {}
   for i = 1, #self.names do
      local value = transformed[i]
      if value ~= nil then list[#list + 1] = { at = i, value = value, kind = rows.kind(value) } end
   end
   return list
end

local function has_factors(part)
   if part.kind ~= "Frame" then return part.kind == "table" end
   for _, column in ipairs(part.value.columns) do
      if rows.kind(column) == "Factor" then return true end
   end
   return false
end

--- Should the result be sparse? True if a part is sparse and the density is below sparse_threshold.
function M.wants_sparse(self, transformed)
   local entries, cells, any = 0, 0, false
   for _, part in ipairs(present_parts(self, transformed)) do
      if has_factors(part) then return false end
      local size = rows.count(part.value) * rows.width(part.value)
      any = any or part.kind == "Sparse"
      entries = entries + (part.kind == "Sparse" and part.value.nnz or size)
      cells = cells + size
   end
   return any and entries / cells < self.sparse_threshold
end

--- Names of all outputs: those of the parts, with the name of the part as prefix if `prefix` is set.
-- @param inputs function(i) -> input names of part i, or nil
function M.output_names(self, transformed, inputs)
   local names = {}
   for _, part in ipairs(present_parts(self, transformed)) do
      local i = part.at
      local own = composite.output_names(self.models[i], inputs(i), rows.width(part.value), self.names[i])
      for _, name in ipairs(own) do names[#names + 1] = self.prefix and self.names[i] .. "__" .. name or name end
   end
   return names
end

local function to_dense(part)
   if part.kind == "Sparse" then return part.value:todense() end
   return rows.plain(part.value)
end

local function check_distinct(self, names)
   local seen = {}
   for _, name in ipairs(names) do
      if seen[name] then
         error(("%s: two parts return a column '%s'; use prefix = true"):format(estimator.name(self), name), 0)
      end
      seen[name] = true
   end
end

-- Join to a Frame, which keeps names and factor columns.
local function join_frame(self, parts)
   local columns = {}
   for _, part in ipairs(parts) do
      local frame = part.kind == "Frame" and part.value or rows.named(to_dense(part), {})
      for _, column in ipairs(frame.columns) do columns[#columns + 1] = column end
   end
   local names = table.move(self.outputs, 1, #self.outputs, 1, {})
   check_distinct(self, names)
   return rows.frame(names, columns)
end

local function join_lists(parts, n)
   local out = {}
   for i = 1, n do
      out[i] = {}
      for _, part in ipairs(parts) do
         local row = part.value[i]
         for j = 1, #row do out[i][#out[i] + 1] = row[j] end
      end
   end
   return out
end

--- Join the outputs of the parts: to a Sparse if fit decided so, to a Frame if X is one, else to a Matrix.
function M.join(self, X, transformed)
   local parts = present_parts(self, transformed)
   if #parts == 0 then error(("%s: all columns were dropped"):format(estimator.name(self)), 0) end
   if self.sparse then
      local list = {}
      for i, part in ipairs(parts) do list[i] = rows.plain(part.value) end
      return core.join_sparse(list)
   end
   if rows.is_frame(X) then return join_frame(self, parts) end
   local dense = {}
   for i, part in ipairs(parts) do
      if part.kind == "table" then return join_lists(parts, rows.count(X)) end
      dense[i] = to_dense(part)
   end
   return core.hcat(table.unpack(dense))
end

return M
