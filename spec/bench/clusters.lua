-- What the workloads of hierarchical and density-based clustering share: groups of normal rows, and the total height of
-- merges or the number of clusters as quality.
local M = {}

--- A writer of n rows in `groups` groups.
local function groups_of(columns, groups)
   return function(ml, path, n)
      local group = ml.random(n, nil, 71):mul(groups):floor()
      local centers = ml.random(groups, columns, 72) * 20
      ml.write_npy(path "X.npy", centers:take(group:add(1)) + ml.normal(n, columns, 73) * 0.6)
   end
end

--- A linkage of n rows.
function M.linkage(settings)
   return {
      title = ("%s linkage, %s rows x %d"):format(settings.linkage, settings.rows_text, settings.columns),
      rows = settings.rows, bar = settings.bar,
      columns = { "height" }, criterion = { key = "height", better = "lower", share = 1e-9 },
      peers = settings.peers,
      make = function(ml, path, n) ml.write_npy(path "X.npy", ml.normal(n, settings.columns, 74)) end,
      ours = function(ml, path)
         local x = ml.read_npy(path "X.npy")
         return function() return ml.linkage(x, { linkage = settings.linkage }) end, x
      end,
      quality = function(_, merges) return { height = merges:col(3):sum() } end,
   }
end

--- A clustering of n rows by density.
function M.density(settings)
   return {
      title = ("%s, %s rows x %d"):format(settings.title, settings.rows_text, settings.columns),
      rows = settings.rows, bar = settings.bar,
      columns = { "clusters", "noise" }, criterion = { key = "clusters", better = "lower", share = 0.05 },
      peers = settings.peers,
      make = groups_of(settings.columns, 50),
      ours = function(ml, path)
         local x = ml.read_npy(path "X.npy")
         return function() return settings.new(ml):fit(x) end, x
      end,
      quality = function(_, model)
         return { clusters = #model.counts, noise = model.labels:eq(-1):sum() }
      end,
   }
end

return M
