local images = require "images"

return {
   title = "PaCMAP, 50k x 784 pictures to the plane (trustworthiness within 2,000 rows)", rows = 50000, bar = 0.4,
   columns = { "trustworthiness" }, criterion = { key = "trustworthiness", better = "higher", share = 5e-3 },
   peers = { { "pacmap", "pacmap_peer.py", "pacmap" } },
   make = function(ml, path, n) ml.write_npy(path "X.npy", (images(ml, n, 61))) end,
   ours = function(ml, path)
      local x = ml.read_npy(path "X.npy")
      return function() return { x = x, y = ml.PaCMAP {}:fit(x).embedding } end
   end,
   quality = function(ml, result)
      local x, y = result.x:slice(1, 2000):copy(), result.y:slice(1, 2000):copy()
      return { trustworthiness = ml.metrics.trustworthiness(x, y, { k = 15 }) }
   end,
}
