--- What the workloads of t-SNE share: rows of 20 groups in 50 columns, of which a few matter, and the divergence as
-- quality.
return function(settings)
   return {
      title = ("t-SNE, %s rows x 50, %d iterations"):format(settings.rows_text, settings.iterations),
      rows = settings.rows, bar = settings.bar,
      columns = { "divergence" }, criterion = { key = "divergence", better = "lower", share = 0.02 },
      peers = settings.peers,
      make = function(ml, path, n)
         local group = ml.random(n, nil, 71):mul(20):floor()
         local spread = ml.random(20, 50, 74) * 2
         ml.write_npy(path "X.npy", ml.random(20, 50, 72):take(group:add(1)) * 6
            + ml.normal(n, 50, 73):mul(spread:take(group:add(1))))
      end,
      ours = function(ml, path)
         local x = ml.read_npy(path "X.npy")
         return function() return ml.TSNE { max_iter = settings.iterations }:fit(x) end, x
      end,
      quality = function(_, model) return { divergence = model.kl_divergence } end,
   }
end
