--- Data and starts of the workloads of hidden Markov models.
local M = { rounds = 20 }

-- Each state stays with probability 0.9.
local function transitions(ml, k)
   local rows = {}
   for i = 1, k do
      rows[i] = {}
      for j = 1, k do rows[i][j] = i == j and 0.9 or 0.1 / (k - 1) end
   end
   return ml.Matrix(rows)
end

--- States of n rows, drawn from such a chain.
function M.states(ml, n, k, seed)
   return ml.MarkovChain { transition = transitions(ml, k):totable() }:sample { n = n, seed = seed }
end

--- Write a start: equal probabilities and slow transitions.
function M.write_start(ml, path, k, emission)
   ml.write_npy(path "startprob.npy", ml.full(1, k, 1 / k))
   ml.write_npy(path "transmat.npy", transitions(ml, k))
   ml.write_npy(path "emission.npy", emission)
end

--- The settings of a start that was written.
function M.read_start(ml, path)
   local startprob, transmat = ml.read_npy(path "startprob.npy"), ml.read_npy(path "transmat.npy")
   return { n_states = transmat.rows, startprob_init = startprob[1], transmat_init = transmat, n_init = 1,
      max_iter = M.rounds, tol = 0, reg_covar = 0 }
end

--- Identity matrices, stacked.
function M.identities(k, p)
   local rows = {}
   for i = 1, k * p do
      rows[i] = {}
      for j = 1, p do rows[i][j] = (i - 1) % p + 1 == j and 1 or 0 end
   end
   return rows
end

--- Members that all workloads share.
M.columns = { "mean_loglik" }
M.criterion = { key = "mean_loglik", better = "higher", share = 1e-7 }
function M.quality(_, model, x) return { mean_loglik = model.loglik / x.rows } end

return M
