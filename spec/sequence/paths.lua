--- Hidden Markov models by enumeration of all paths of states, from the learned fields.

local M = {}

local function normal_log_density(x, mean, covariance)
   local p, d = #x, {}
   for i = 1, p do d[i] = x[i] - mean[i] end
   local l, log_det, square = {}, 0, 0
   for i = 1, p do -- Cholesky factor, and forward substitution
      l[i] = {}
      for j = 1, i do
         local sum = covariance[i][j]
         for k = 1, j - 1 do sum = sum - l[i][k] * l[j][k] end
         l[i][j] = i == j and math.sqrt(sum) or sum / l[j][j]
      end
      local z = d[i]
      for k = 1, i - 1 do z = z - l[i][k] * d[k] end
      d[i] = z / l[i][i]
      square, log_det = square + d[i] ^ 2, log_det + math.log(l[i][i])
   end
   return -p / 2 * math.log(2 * math.pi) - log_det - square / 2
end

local function covariance_of(model, component, p)
   local covariances = model.covariances
   if covariances.rows == model.means.rows and p > 1 or p == 1 then -- variances
      local diagonal = {}
      for i = 1, p do
         diagonal[i] = {}
         for j = 1, p do diagonal[i][j] = i == j and covariances:get(component, i) or 0 end
      end
      return diagonal
   end
   return covariances:slice((component - 1) * p + 1, component * p):totable()
end

--- log density of a row of gaussian columns in a state; missing values are left out.
function M.gaussian(model)
   return function(row, state)
      local p, mix = #row, model.mix_weights.cols
      local seen, x = {}, {}
      for j = 1, p do
         if row[j] == row[j] then seen[#seen + 1], x[#x + 1] = j, row[j] end
      end
      local logs = {}
      for m = 1, mix do
         local component = (state - 1) * mix + m
         local whole, mean, covariance = covariance_of(model, component, p), {}, {}
         for a, i in ipairs(seen) do
            mean[a], covariance[a] = model.means:get(component, i), {}
            for b, j in ipairs(seen) do covariance[a][b] = whole[i][j] end
         end
         logs[m] = math.log(model.mix_weights:get(state, m)) + normal_log_density(x, mean, covariance)
      end
      local most, total = math.max(table.unpack(logs)), 0
      for m = 1, mix do total = total + math.exp(logs[m] - most) end
      return most + math.log(total)
   end
end

--- log density of counts, one column.
function M.poisson(model)
   return function(row, state)
      local mean, x, log_factorial = model.emission_parameters:get(state, 1), row[1], 0
      if x ~= x then return 0 end
      for i = 2, math.tointeger(x) do log_factorial = log_factorial + math.log(i) end
      return x * math.log(mean) - mean - log_factorial
   end
end

--- log probability of codes from 0, one column that begins at a parameter.
function M.categorical(model, first)
   return function(row, state, column)
      local x = row[column or 1]
      if x ~= x then return 0 end
      return math.log(model.emission_parameters:get(state, (first or 1) + math.tointeger(x)))
   end
end

-- The probability of a path of states.
local function chain_probability(model, path)
   local k, p = #model.startprob, model.startprob[path[1]]
   if #model.exit > 0 then -- stay by stay
      local exit, first, before = model.exit, 1, nil
      for t = 1, #path - 1 do
         local d = math.min(t - first + 1, exit.cols)
         if path[t + 1] == path[t] then
            p = p * (1 - exit:get(path[t], d))
         else
            local row = path[t]
            if model.transmat.rows > k and before then row = k + (before - 1) * k + row end
            p = p * exit:get(path[t], d) * model.transmat:get(row, path[t + 1])
            first, before = t + 1, path[t]
         end
      end
      return p
   end
   for t = 2, #path do
      local row = path[t - 1]
      if model.transmat.rows > k and t > 2 then row = k + (path[t - 2] - 1) * k + path[t - 1] end
      p = p * model.transmat:get(row, path[t])
   end
   return p
end

--- What enumeration gives for a sequence, a list of rows: loglik, posterior (list of lists), states of the
-- likeliest path and its log probability, best.
function M.enumerate(model, rows, log_density)
   local n, k = #rows, #model.startprob
   local path, out, found = {}, { posterior = {}, best = -math.huge }, {}
   local density = {}
   for t = 1, n do
      density[t] = {}
      for s = 1, k do density[t][s] = log_density(rows[t], s) end
   end
   local function visit(t, log_p)
      if t > n then
         local chain = chain_probability(model, path)
         if chain <= 0 then return end
         local log_joint = math.log(chain) + log_p
         found[#found + 1] = { log_joint, { table.unpack(path) } }
         if log_joint > out.best then out.best, out.states = log_joint, found[#found][2] end
         return
      end
      for s = 1, k do
         path[t] = s
         visit(t + 1, log_p + density[t][s])
      end
   end
   visit(1, 0)
   local total = 0
   for _, one in ipairs(found) do total = total + math.exp(one[1] - out.best) end
   for t = 1, n do
      out.posterior[t] = {}
      for s = 1, k do out.posterior[t][s] = 0 end
      for _, one in ipairs(found) do
         local s = one[2][t]
         out.posterior[t][s] = out.posterior[t][s] + math.exp(one[1] - out.best) / total
      end
   end
   out.loglik = out.best + math.log(total)
   return out
end

return M
