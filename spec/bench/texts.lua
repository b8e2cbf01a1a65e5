--- Sparse rows like texts with two classes, written as an svmlight file.
local P, VALUES = 50000, 50 -- columns; values of a row before repeated ones are dropped

-- Rows like texts: few columns that are common, many that are rare; each row of length 1.
local function write_rows(ml, name, n)
   local b, file = ml.normal(P, nil, 1), assert(io.open(name, "w"))
   local piece = 10000
   for first = 1, n, piece do
      local rows = math.min(piece, n - first + 1)
      local where, noise = ml.random(rows, VALUES, 1000 + first), ml.random(rows, nil, 2000 + first)
      local lines = {}
      for i = 1, rows do
         local seen, cols, words, z = {}, {}, {}, 0
         for k = 1, VALUES do
            local j = 1 + math.floor(P * where:get(i, k) ^ 3)
            if not seen[j] then cols[#cols + 1] = j end
            seen[j] = true
         end
         table.sort(cols)
         local value = 1 / math.sqrt(#cols)
         for k, j in ipairs(cols) do
            if j % 10 == 0 then z = z + 4 * value * b[j] end
            words[k] = ("%d:%.6f"):format(j, value)
         end
         lines[i] = (noise[i] < 1 / (1 + math.exp(-z)) and "1 " or "-1 ") .. table.concat(words, " ")
      end
      file:write(table.concat(lines, "\n"), "\n")
   end
   file:close()
end

return {
   columns = P, values = VALUES,
   make = function(ml, path, n) write_rows(ml, path "rows.svm", n) end,
   read = function(ml, path)
      local x, y = ml.read_svmlight(path "rows.svm", { cols = P })
      return { x = x, y = y }
   end,
}
