local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/topographic/som.lua"

local function iris()
   return (support.data("iris", "species")):matrix()
end

-- The settings of som.py.
local function small(params)
   local all = { grid_rows = 4, grid_columns = 6, start = oracle.start, max_iter = 5, radius = 3 }
   for key, value in pairs(params or {}) do all[key] = value end
   return ml.SOM(all)
end

local batches = {
   rectangular = {}, torus = { toroidal = true }, hexagonal = { topology = "hexagonal", neighborhood = "bubble" },
   hexagonal_torus = { topology = "hexagonal", toroidal = true },
}

describe("SOM", function()
   for name, params in pairs(batches) do
      it("takes the batches of an implementation in NumPy: " .. name, function()
         params.final_radius, params.radius_schedule = 0.6, "exponential"
         local model, wanted = small(params):fit(iris()), oracle[name]
         support.near_rows(wanted.codebook, model.codebook, 1e-11, "codebook", 1)
         support.near(wanted.quantization_error, model.quantization_error, 1e-11, "quantization error")
         support.near(wanted.topographic_error, model.topographic_error, 1e-11, "topographic error")
      end)
   end

   it("takes the steps of MiniSom online, and has its errors and U-matrix", function()
      local model = small { algorithm = "online", shuffle = false, final_radius = 0.5, learning_rate = 0.5,
         final_learning_rate = 0.05 }
      model:fit(iris())
      support.near_rows(oracle.online.codebook, model.codebook, 1e-11, "codebook", 1)
      support.near(oracle.online.quantization_error, model.quantization_error, 1e-11, "quantization error")
      support.near(oracle.online.topographic_error, model.topographic_error, 1e-11, "topographic error")
      local u = model:u_matrix()
      support.near_rows(oracle.online.u_matrix, u / u:max(), 1e-11, "U-matrix", 1)
   end)

   it("fits online by as many calls of partial_fit as passes", function()
      local X, params = iris(), { algorithm = "online", grid_rows = 3, grid_columns = 4, max_iter = 3, seed = 2 }
      local whole, parts = ml.SOM(params):fit(X), ml.SOM(params)
      for _ = 1, 3 do parts:partial_fit(X) end
      support.near_rows(whole.codebook, parts.codebook, 0, "codebook")
      assert.equal(3, parts.n_passes)
   end)

   it("predicts the nearest unit and transforms to its position", function()
      local X, model = iris(), ml.SOM { grid_rows = 3, grid_columns = 5, topology = "hexagonal" }:fit(iris())
      local distances, unit, place = model:distances(X), model:predict(X), model:transform(X)
      for i = 1, 150, 7 do
         support.near(distances[i]:min(), distances[i][unit[i]], 0, "distance")
         local row, column = (unit[i] - 1) // 5, (unit[i] - 1) % 5
         support.near(column + (row % 2 == 1 and 0.5 or 0), place[i][1], 1e-12, "x")
         support.near(row * math.sqrt(0.75), place[i][2], 1e-12, "y")
      end
      local found = model:quality(X)
      assert.equal(150, model.hits:sum())
      support.near(model.quantization_error, found.quantization_error, 0, "quantization error")
      assert.equal(model.hits[7], found.hits[2][2])
      support.near(model.codebook[7][3], model:component_plane({ column = 3 })[2][2], 0, "component")
   end)

   it("unfolds on a square better than it starts, and separates species", function()
      local draw, rows = support.draws "square", {}
      for i = 1, 400 do rows[i] = { draw(), draw() } end
      for _, algorithm in ipairs { "batch", "online" } do
         local model = ml.SOM { algorithm = algorithm, init = "random", final_radius = 0.5, seed = 1 }:fit(rows)
         assert(model.quantization_error < 0.05, model.quantization_error)
         assert(model.topographic_error < 0.1, model.topographic_error)
      end
      local X, species = support.data("iris", "species")
      local model, votes = ml.SOM { grid_rows = 6, grid_columns = 8 }:fit(X), {}
      for i, unit in ipairs(model.labels:totable()) do
         votes[unit] = votes[unit] or {}
         votes[unit][species[i]] = (votes[unit][species[i]] or 0) + 1
      end
      local right = 0
      for _, of in pairs(votes) do
         local most = 0
         for _, n in pairs(of) do most = math.max(most, n) end
         right = right + most
      end
      assert(right >= 144, right)
   end)

   it("counts rows by weights in batches", function()
      local X, weights, repeated = iris(), {}, {}
      for i = 1, 150 do
         weights[i] = i % 3
         for _ = 1, i % 3 do repeated[#repeated + 1] = i end
      end
      local one = small():fit(X, nil, { weights = weights })
      local other = small():fit(X:take(repeated))
      support.near_rows(other.codebook, one.codebook, 1e-12, "codebook", 1)
      support.near(other.quantization_error, one.quantization_error, 1e-12, "quantization error")
   end)

   it("takes rows that are all equal, one column, and a grid of one unit", function()
      local model = ml.SOM {}:fit { { 1, 2 }, { 1, 2 } }
      assert.equal(0, model.quantization_error)
      model = ml.SOM { grid_rows = 1, grid_columns = 3 }:fit { { 1 }, { 2 }, { 7 } }
      assert.equal(0, model.topographic_error)
      model = ml.SOM { grid_rows = 1, grid_columns = 1 }:fit { { 1 }, { 2 }, { 6 } }
      assert.equal(3, model.codebook[1][1])
   end)

   it("refuses grids that cannot be", function()
      local model = ml.SOM { grid_rows = 200, grid_columns = 200 }
      support.refuses("must be at most 16384, got 40000", model.fit, model, iris())
      model = ml.SOM { grid_rows = 5, toroidal = true, topology = "hexagonal" }
      support.refuses("even number of rows, got grid_rows = 5", model.fit, model, iris())
      model = ml.SOM { grid_rows = 2, grid_columns = 2, start = { { 1, 2, 3, 4 } } }
      support.refuses("start must be units x features = 4 x 4, got 1 x 4", model.fit, model, iris())
      model = ml.SOM { grid_rows = 2, grid_columns = 2 }:fit(iris())
      support.refuses("column must be at most 4, got 5", model.component_plane, model, { column = 5 })
   end)

   it("gives the same for any number of threads", function()
      support.same_for_any_threads(function() return ml.SOM { init = "random", max_iter = 4 }:fit(iris()) end)
   end)
end)
