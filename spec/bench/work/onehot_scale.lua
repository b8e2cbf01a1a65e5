-- The commonest preparation of a table: indicators of its factors, its numbers scaled.
local LEVELS, HALF = 10, 10

local function factor(ml, n, j)
   local pick, names = ml.random(n, nil, j), {}
   for i = 1, n do names[i] = "level " .. (pick[i] * LEVELS // 1 | 0) end
   return ml.Factor(names)
end

return {
   title = "ColumnTransformer of OneHotEncoder and StandardScaler, 1M x 20: 10 factors of 10 levels, 10 numbers",
   rows = 1000000, bar = 0.2, columns = { "sum" }, criterion = { key = "sum", better = "lower", share = 1e-9 },
   peers = { { "scikit-learn", "onehot_scale.py", "sklearn" } },
   limit = function(machine, n) return n * (2 * HALF * 8 + 2 * HALF * 12) * 1e-9 / machine.gb_per_s end,
   limit_of = "one read of X and one write of the result",
   make = function(ml, path, n)
      local columns, numbers = {}, ml.normal(n, HALF, 99) * 3 + 7
      for j = 1, HALF do columns[j] = { "f" .. j, factor(ml, n, j) } end
      for j = 1, HALF do columns[HALF + j] = { "x" .. j, numbers:col(j) } end
      ml.Frame(columns):write_csv(path "table.csv")
   end,
   ours = function(ml, path)
      local frame = ml.read_csv(path "table.csv")
      return function()
         return ml.ColumnTransformer { { ml.OneHotEncoder { sparse_output = true }, "factor" },
            { ml.StandardScaler {}, "numeric" } }:fit_transform(frame)
      end
   end,
   -- Columns weighted by their number, so that their order counts.
   quality = function(ml, out)
      local weight = ml.Vector(out.cols)
      for j = 1, out.cols do weight[j] = j end
      return { sum = (out * weight):sum() }
   end,
}
