--- Pictures like those of handwritten digits, so that nothing need be fetched: 28 x 28 gray values 0, 1/255, .., 1,
-- most of them 0 at the border. A picture is a sum of 60 soft spots, whose weights are those of its class plus noise,
-- cut at 0 and 1. The noise makes the ten classes overlap: a linear classifier gets about 4 of 5.
local SIDE, SPOTS, CLASSES, APART, NOISE = 28, 60, 10, 0.25, 0.75

local function spots(ml)
   local place, width, basis = ml.random(SPOTS, 2, 11), ml.random(SPOTS, 1, 12), ml.zeros(SPOTS, SIDE * SIDE)
   for s = 1, SPOTS do
      local x0, y0 = 5 + 18 * place:get(s, 1), 4 + 20 * place:get(s, 2)
      local scale = 2 * (1.2 + 1.3 * width:get(s, 1)) ^ 2
      for y = 1, SIDE do
         for x = 1, SIDE do
            local distance2 = (x - x0) ^ 2 + (y - y0) ^ 2
            basis:set(s, (y - 1) * SIDE + x, math.exp(-distance2 / scale))
         end
      end
   end
   return basis
end

--- n pictures -> Matrix n x 784, Vector of their classes 0..9
return function(ml, n, seed)
   local class = ml.random(n, nil, seed):mul(CLASSES):floor()
   local center = ml.normal(CLASSES, SPOTS, 13) * APART
   local weights = center:take(class:add(1)) + ml.normal(n, SPOTS, seed + 1) * NOISE
   local x = (weights * spots(ml) - 0.15):clip(0, 1)
   return (x * 255):round() * (1 / 255), class
end
