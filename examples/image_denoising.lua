-- An image from which noise is removed by an Ising field: neighbors are probably equal.
--
-- Pixels x are -1 or 1. Each is seen flipped with probability 0.1, so log p(y | x) is x y h with h = log(9) / 2, and
-- neighbors add J x x'. J is learned from the clean image by pseudo-likelihood, then the image is read in three ways.

local ml = require "manilius"

os.execute "mkdir -p build/demo"
local SIZE, FLIPPED = 48, 0.1

-- A ring, a bar and a disk.
local clean = ml.zeros(SIZE, SIZE)
for i = 1, SIZE do
   for j = 1, SIZE do
      local ring = math.abs(((i - 20) ^ 2 + (j - 18) ^ 2) ^ 0.5 - 12) < 3
      local bar = i > 36 and i < 42 and j > 6 and j < 44
      local disk = (i - 14) ^ 2 + (j - 38) ^ 2 < 30
      clean:set(i, j, (ring or bar or disk) and 1 or -1)
   end
end
local draws, noisy = ml.random(SIZE, SIZE, 1), clean:copy()
for i = 1, SIZE do
   for j = 1, SIZE do
      if draws:get(i, j) < FLIPPED then noisy:set(i, j, -clean:get(i, j)) end
   end
end

-- The coupling from the clean image; state 2 is 1.
local field = ml.MarkovRandomField { field = ml.zeros(SIZE, SIZE), coupling = 0 }
local learned = field:learn({ (clean + 3) * 0.5 }, { fixed = "unary", l2 = 1e-3 })
local pair = learned:factor(SIZE * SIZE + 1)
local J = (pair:get(1, 1) + pair:get(2, 2) - pair:get(1, 2) - pair:get(2, 1)) / 4
print(("coupling learned by pseudo-likelihood: %.3f"):format(J))

local graph = ml.MarkovRandomField { field = noisy * (math.log((1 - FLIPPED) / FLIPPED) / 2), coupling = J }
print(graph)

local function errors(image) return ((image - clean):abs():sum() / 2) / SIZE ^ 2 end
print(("pixels that are wrong: %.1f%% of the noisy image"):format(100 * errors(noisy)))

local bayes = graph:infer { method = "sum_product", damping = 0.3 }
local marginal = bayes:image(1) -- probability of 1
local best = graph:map { method = "dual_decomposition", max_iter = 300 }
local sampled = graph:infer { method = "gibbs", draws = 300, temperatures = 0 }
local function sign(p) return p:gt(0.5) * 2 - 1 end
print(("by marginals of sum-product: %.1f%%"):format(100 * errors(sign(marginal))))
print(("by marginals of Gibbs sampling: %.1f%%"):format(100 * errors(sign(sampled:image(1)))))
print(("by the most probable image: %.1f%%, %s"):format(100 * errors(best.states * 2 - 3), best.kind))

local function picture(image, title) return ml.plot.heatmap(image, { title = title }) end
ml.plot.figure { picture(noisy, "noisy"), picture(marginal, "probability of 1"),
   picture(best.states * 2 - 3, "most probable") }:save "build/demo/denoised.png"
