--- make bench: ours and each peer on the same data, every measurement in a process of its own.
--
--    lua5.4 spec/bench/run.lua [workload ...] [option ...]
--
--    --scale=0.1   smaller data
--    --rounds=3    how often ours and the peers take turns
--    --budget=3    seconds of a turn; one repetition at least
--    --threads=1   for ours and the peers, which else take what they like; with 1 the time shown is CPU time, which can
--                  be compared while others use the cores
--    --growth      how the time grows with the rows
package.path = "spec/bench/?.lua;" .. package.path
local process = require "process"
local show = require "show"

local ALL = {
   "adaboost", "alarm_hill_climbing", "alarm_marginals", "boosting", "boosting_classes", "boosting_predict",
   "boosting_regression", "calibration", "crf", "csv", "cv_logistic", "dbscan", "extra_trees", "factor_analysis",
   "fast_ica", "forest", "gaussian_nb", "gemm", "gmm_full", "gp_classifier", "gp_exact", "gp_search", "gp_sparse",
   "gp_update", "gplvm", "grid_100", "grid_propagation", "hdbscan", "hmm_categorical", "hmm_gaussian", "hmm_short",
   "huber", "isomap", "iterative_imputer", "kalman", "kde", "kernel_pca", "kernel_ridge", "kmeans", "kmedoids",
   "knn10", "knn3", "knn_brute", "knn_hnsw", "knn_imputer", "lasso_cv", "lasso_path", "ldpc", "linear_svm",
   "linear_svm_hinge", "lle", "load", "logistic", "logistic_l1", "mars", "mini_batch_kmeans", "multinomial",
   "multinomial_nb", "nmf", "ols", "one_row", "one_row_trees", "onehot_scale", "optics", "pacmap", "pca", "poisson",
   "quantile", "rfecv", "ridge", "ridge_cv", "sgd_classifier", "sgd_regressor", "single_linkage", "smacof", "smote",
   "svm_one_class", "svm_svc", "svm_svr", "tfidf", "tree_depth_10", "tree_full", "tree_sparse", "tsne_100k",
   "tsne_20k", "tsne_5k", "umap", "umap_100k", "ward" }
local ENOUGH = 900 -- seconds: no turn takes longer
local BEATEN = 6 -- times slower than the fastest: one turn is enough
local BUILD = "build/bench"
local PYTHON = os.getenv "BENCH_PYTHON" or "build/venv/bin/python"
local LUA = arg[-1] or "lua5.4"

local function fail(text)
   io.stderr:write("bench: ", text, "\n")
   os.exit(1)
end

local options = { scale = tonumber(os.getenv "SCALE") or 1, rounds = 3, budget = 3, threads = 0, growth = false }
local chosen = {}
for _, word in ipairs(arg) do
   local name, value = word:match "^%-%-(%w+)=?(.*)$"
   if name and options[name] ~= nil then
      options[name] = name == "growth" or tonumber(value)
         or fail(("--%s must be a number, got '%s'"):format(name, value))
   elseif name then
      fail("there is no option --" .. name)
   else
      chosen[#chosen + 1] = word
   end
end
if #chosen == 0 then chosen = ALL end

local function say(text) io.stderr:write(text, "\n") end

--- Make the data once; a directory is whole when it holds "done".
local function prepare(name, n)
   local directory = ("%s/%s-%d"):format(BUILD, name, n)
   if process.exists(directory .. "/done") then return directory end
   os.execute("mkdir -p " .. process.quote(directory))
   local command = ("%s spec/bench/child.lua make %s %s %d"):format(LUA, name, directory, n)
   if not os.execute(command) then fail(name .. ": the data could not be made") end
   assert(io.open(directory .. "/done", "w")):close()
   return directory
end

local function child(name, directory, n, given)
   local words = { LUA, "spec/bench/child.lua", "ours", name, directory, n, options.budget }
   if options.threads > 0 then words[#words + 1] = "threads=" .. options.threads end
   for key, value in pairs(given or {}) do
      words[#words + 1] = key .. "=" .. (type(value) == "number" and ("%.17g"):format(value) or value)
   end
   return process.run(words, ENOUGH)
end

--- The command of a peer, bound to --threads.
local function peer_words(words)
   if options.threads > 0 then
      for _, name in ipairs { "OMP_NUM", "OPENBLAS_NUM", "POLARS_MAX", "R_DATATABLE_NUM", "BENCH" } do
         table.insert(words, 1, ("%s_THREADS=%d"):format(name, options.threads))
      end
      table.insert(words, 1, "env")
   end
   return words
end

local function peer_run(peer, directory, n)
   local file = "spec/bench/peers/" .. peer[2]
   if peer[2]:match "%.R$" then
      return process.run(peer_words { "Rscript", "--vanilla", file, peer[3], directory, n, options.budget }, ENOUGH)
   end
   if not process.exists(PYTHON) then return nil, "not installed (make bench-deps)" end
   return process.run(peer_words { PYTHON, file, peer[3], directory, n, options.budget }, ENOUGH)
end

--- The figures of several turns: least time, with the other use of the cores then; the least peak and CPU time.
local function join(old, new)
   if options.threads == 1 and new.cpu then new.seconds = new.cpu end
   if not old then return new end
   local kept = new.seconds < old.seconds and new or old
   for _, key in ipairs { "peak", "cpu" } do
      if old[key] and new[key] then kept[key] = math.min(old[key], new[key]) end
   end
   return kept
end

--- Is a peer so much slower than the fastest that another run of it would add no information?
local function is_beaten(figures, ours, peers)
   local least = ours and ours.seconds or math.huge
   for _, other in pairs(peers) do least = math.min(least, other.seconds) end
   return figures and figures.seconds > BEATEN * least
end

--- Turns of ours and the peers. A peer that fails is left out from then on, and its reason kept.
local function measure(name, workload, n, rounds, only)
   local directory = prepare(name, n)
   local ours, peers, failed = nil, {}, {}
   for round = 1, rounds do
      local function our_turn()
         local given
         for _, peer in ipairs(workload.peers) do
            if peer[1] == workload.race then given = peers[peer[1]] end
         end
         local figures, why = child(name, directory, n, given)
         if not figures then fail(name .. ": ours failed: " .. why) end
         ours = join(ours, figures)
      end
      if not workload.race then our_turn() end
      for _, peer in ipairs(workload.peers) do
         local label = peer[1]
         if not failed[label] and (not only or only == label) and not is_beaten(peers[label], ours, peers) then
            say(("   %s, round %d of %d: %s"):format(name, round, rounds, label))
            local figures, why = peer_run(peer, directory, n)
            if figures then peers[label] = join(peers[label], figures) else failed[label] = why end
         end
      end
      if workload.race then our_turn() end
   end
   return { ours = ours, peers = peers, failed = failed, load = process.load_average() }
end

local function size_of(workload, share)
   if workload.rows == 1 then return 1 end
   return math.max(100, math.floor(workload.rows * options.scale * (share or 1)))
end

local function growth(name, workload)
   local best = nil
   local lines = {}
   for _, share in ipairs { 1, 1 / 2, 1 / 4 } do
      local n = size_of(workload, share)
      local found = measure(name, workload, n, math.max(1, options.rounds - 1), best)
      best = best or show.best_peer(workload, found)
      table.insert(lines, 1, { n = n, ours = found.ours.seconds, peer = best and found.peers[best]
         and found.peers[best].seconds })
   end
   show.growth(workload, best, lines)
end

--- What the machine reaches: the best of this run and those before, since other work on it only lowers the figures.
local function measure_machine()
   local machine, why = process.run({ LUA, "spec/bench/child.lua", "machine" }, ENOUGH)
   if not machine then fail("the machine could not be measured: " .. why) end
   os.execute("mkdir -p " .. BUILD)
   local file, cpu = BUILD .. "/machine.txt", process.cpu_name()
   for line in process.exists(file) and io.lines(file) or function() end do
      local key, value = line:match "^(%S+) (%S+)$"
      if line:match "^cpu " and line ~= "cpu " .. cpu then break end
      if machine[key] then machine[key] = math.max(machine[key], tonumber(value)) end
   end
   local out = assert(io.open(file, "w"))
   out:write("cpu ", cpu, "\n")
   for key, value in pairs(machine) do out:write(key, " ", value, "\n") end
   out:close()
   return machine
end

say "measuring the machine"
local machine = measure_machine()
show.machine(machine, options)
local verdicts = {}
for _, name in ipairs(chosen) do
   local ok, workload = pcall(require, "work." .. name)
   if not ok then fail(("there is no workload '%s'; there are: %s"):format(name, table.concat(ALL, ", "))) end
   if options.growth then
      if workload.rows > 1000 then growth(name, workload) end
   else
      local n = size_of(workload)
      verdicts[#verdicts + 1] = show.workload(name, workload, n, machine, measure(name, workload, n, options.rounds))
   end
end
if #verdicts > 1 then show.summary(verdicts) end
