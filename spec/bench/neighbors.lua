-- What the workloads of neighbor searches in trees share: k-d trees over random rows, built and searched.
local K, CHECKED = 10, 200

local function mean_distance(found, count)
   return found.distances:slice(1, count):sum() / count / K
end

return function(settings)
   local p, m = settings.columns, settings.queries
   return {
      title = ("%d nearest neighbors, k-d tree built for %s rows x %d, %s queries"):format(K, settings.rows_text, p,
         settings.queries_text),
      rows = settings.rows, bar = settings.bar,
      columns = { "mean_distance" }, criterion = { key = "mean_distance", better = "lower", share = 1e-9 },
      peers = { { "scipy cKDTree", "ckdtree.py", "ckdtree" } },
      make = function(ml, path, n)
         ml.write_npy(path "X.npy", ml.random(n, p, 61))
         ml.write_npy(path "Q.npy", ml.random(math.ceil(n * m), p, 63))
      end,
      ours = function(ml, path)
         local data = { x = ml.read_npy(path "X.npy"), q = ml.read_npy(path "Q.npy") }
         return function()
            return ml.NearestNeighbors { n_neighbors = K, algorithm = "kd_tree" }:fit(data.x):kneighbors(data.q)
         end, data
      end,
      quality = function(_, found) return { mean_distance = mean_distance(found, CHECKED) } end,
   }
end
