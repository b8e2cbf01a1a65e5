--- For scripts that fit every estimator: for name, class, new, problem in every { rows = 2000, max_iter = 3 }. new()
-- makes models that stop after max_iter iterations: the first ones use threads as later ones do.
local core = require "manilius.core"
local check, data = require "manilius.check", require "manilius.check.data"

-- Families whose time or memory grows with the square of the number of rows get a quarter of them.
local slow = { kernel = true, ["gaussian process"] = true, smoothing = true, manifold = true }

return function(options)
   local names, i = core.class_names(), 0
   return function()
      i = i + 1
      if not names[i] then return nil end
      local class, new = check.core_class(names[i])
      local limited = data.has_param(class, "max_iter") and { max_iter = options.max_iter } or {}
      local rows = slow[class.family] and options.rows // 4 or options.rows
      if data.has_param(class, "max_rows") then rows = math.min(rows, options.rows // 10) end -- cubic
      return names[i], class, function(settings) return new(settings or limited) end,
         data.make(class, { rows = rows, cols = options.cols })
   end
end
