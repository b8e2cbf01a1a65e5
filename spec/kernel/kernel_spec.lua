local core = require "manilius.core"
local ml = require "manilius"
local support = require "spec.support"

local kernel, refuses = ml.kernel, support.refuses

describe("A kernel", function()
   it("prints as a formula that makes it again", function()
      local k = kernel.RBF { length = 1 } * kernel.Periodic { period = 1 } + kernel.White {}
      assert.equal("RBF { length = 1 } * Periodic { length = 1, period = 1 } + White { noise = 1 }", tostring(k))
      local names = setmetatable({}, { __index = kernel })
      for _, one in ipairs { k, 2 * k, (k + 1) ^ 2, k * k * k, k * (k * k), k + (k + k), (k ^ 2) ^ 3, k ^ 0.5,
         kernel.Matern { nu = 2.5, length = { 1, 0.25 }, columns = { 3, "a b" } }, kernel.Linear { columns = 1 },
         kernel.Polynomial { degree = 2 } * (kernel.Cosine {} + kernel.Sigmoid { coef0 = -1 }) } do
         local made = load("return " .. tostring(one), "formula", "t", names)()
         assert(made == one, tostring(one))
         assert.equal(tostring(one), tostring(made))
      end
   end)

   it("has its settings, theta, bounds and names", function()
      local k = kernel.RationalQuadratic { length = { 1, 2 }, alpha = 3, bounds = { alpha = { 0.1, 10 } } }
      assert.same({ 1, 2 }, k.length:totable())
      assert.equal(3, k.alpha)
      support.near_all({ 0, math.log(2), math.log(3) }, k.theta, 1e-15)
      support.near_all({ math.log(0.1), math.log(10) }, k.bounds[3], 1e-15)
      support.near_all({ math.log(1e-5), math.log(1e5) }, k.bounds[1], 1e-15)
      assert.same({ "RationalQuadratic.length[1]", "RationalQuadratic.length[2]", "RationalQuadratic.alpha" },
         { table.unpack(k.theta_names) })
      assert.same({ "1.RBF.length", "2.White.noise" }, { table.unpack((kernel.RBF {} + kernel.White {}).theta_names) })
      assert.equal(2.5, kernel.Matern { nu = 2.5 }.nu)
      assert.same({ 0, 2 }, { kernel.Linear {}.bounds.rows, kernel.Linear {}.bounds.cols })
   end)

   it("is made again with another theta", function()
      local k = kernel.RBF { length = 2, fixed = true } + kernel.White { bounds = { 1e-3, 1 } }
      local other = k:with_theta { math.log(0.25) }
      assert.equal("RBF { length = 2 } + White { noise = 0.25 }", tostring(other))
      assert.equal("RBF { length = 2 } + White { noise = 1 }", tostring(k))
      support.near_all({ math.log(1e-3), 0 }, other.bounds[1], 1e-15)
      refuses("theta must have 1 values, got 2", k.with_theta, k, { 1, 2 })
      refuses("theta must have 1 values, got 0", k.with_theta, k, {})
      refuses("must be > 0 and finite, got inf", k.with_theta, k, { 1000 })
   end)

   it("is equal to one with the same parts and values", function()
      assert(kernel.RBF { length = 2 } == kernel.RBF { length = 2 })
      assert(kernel.RBF { length = 2 } ~= kernel.RBF { length = 3 })
      assert(kernel.RBF {} ~= kernel.RBF { fixed = true })
      assert(kernel.RBF {} ~= kernel.RBF { columns = 1 })
      assert(kernel.RBF {} ~= "rbf")
   end)

   it("can be saved, alone and in tables", function()
      local k = kernel.RBF { length = { 1, 2 }, columns = { "a", 2 }, bounds = { 0.5, 2 } } ^ 2
         * kernel.Matern { nu = 2.5, fixed = true } + 3 * kernel.Polynomial { degree = 2.5 }
      local loaded = ml.load(ml.dump { kernel = k }).kernel
      assert(loaded == k)
      assert.equal(tostring(k), tostring(loaded))
      local path = os.tmpname()
      k:save(path)
      assert(ml.load(path) == k)
      os.remove(path)
      local bytes = ml.dump(k)
      for i = 1, #bytes, 7 do
         local ok = pcall(ml.load, bytes:sub(1, i - 1) .. string.char(bytes:byte(i) ~ 255) .. bytes:sub(i + 1))
         assert(not ok)
      end
   end)

   it("is immutable", function()
      refuses("a kernel is immutable", function() kernel.RBF {}.length = 3 end)
      refuses("has no 'lenght'; did you mean 'length'", function() return kernel.RBF {}.lenght end)
      refuses("kernel has no 'RFB'; did you mean 'RBF'", function() return kernel.RFB end)
   end)

   it("refuses wrong settings", function()
      refuses("kernel.RBF: length must be a number > 0, got %-1", kernel.RBF, { length = -1 })
      refuses("kernel.RBF: length must be a number > 0, got nan", kernel.RBF, { length = 0 / 0 })
      refuses("kernel.RBF: length must be a number > 0, got string", kernel.RBF, { length = { 1, "a" } })
      refuses("length must be a number > 0 or a list of them, got an empty list", kernel.RBF, { length = {} })
      refuses("no setting 'lenght'; did you mean 'length'", kernel.RBF, { lenght = 1 })
      refuses("settings must be a table, got number", kernel.RBF, 2)
      refuses("nu must be 0.5, 1.5 or 2.5, got 1", kernel.Matern, { nu = 1 })
      refuses("degree must be a number > 0, got 0", kernel.Polynomial, { degree = 0 })
      refuses("coef0 must be a finite number, got inf", kernel.Polynomial, { coef0 = 1 / 0 })
      refuses("bounds of length must be", kernel.RBF, { bounds = { 2, 1 } })
      refuses("bounds must be", kernel.RBF, { bounds = 3 })
      refuses("bounds: there is no hyperparameter 'a'", kernel.RBF, { bounds = { a = { 1, 2 } } })
      refuses("fixed: there is no hyperparameter 'a'", kernel.RBF, { fixed = { "a" } })
      refuses("columns must be a list of numbers, from 1, or names, got an empty list", kernel.RBF, { columns = {} })
      refuses("columns must be given by number, from 1, or by name, got 0", kernel.RBF, { columns = { 0 } })
      refuses("columns of kernel RBF must differ, got 2 twice", kernel.RBF, { columns = { 2, 2 } })
      refuses("columns of kernel RBF must differ, got 'a' twice", kernel.RBF, { columns = { "a", "a" } })
      refuses("there are 2 lengths for 3 columns", kernel.RBF, { length = { 1, 2 }, columns = { 1, 2, 3 } })
   end)

   it("refuses wrong operands", function()
      local k = kernel.RBF {}
      refuses("the right operand of %+ must be a kernel or a number > 0, got string", function() return k + "a" end)
      refuses("the left operand of %* must be a kernel or a number > 0, got table", function() return {} * k end)
      refuses("value must be a number > 0, got %-2", function() return -2 * k end)
      refuses("the exponent must be > 0 and finite, got 0", function() return k ^ 0 end)
      refuses("%^ requires a kernel and a number, got number and Kernel", function() return 2 ^ k end)
      refuses("from 1 to 64 parts are allowed, got 127", function() for _ = 1, 6 do k = k + k end end)
   end)

   it("has help and members for completion", function()
      assert(tostring(kernel):find "RationalQuadratic")
      for name in pairs(kernel.help) do assert(kernel[name], name) end
      local members = require "manilius.prompt.names".members({ value = kernel.Periodic {} })
      local there = {}
      for _, name in ipairs(members) do there[name] = true end
      assert(there.period and there.matrix and there.theta)
   end)

   it("frees everything when memory runs out", function()
      local X = ml.random(60, 3, 1)
      local k = kernel.RBF { columns = { 1, 2 } } * kernel.Periodic {} + kernel.White {}
      local W = ml.eye(60)
      local function all()
         return k:matrix(X), k:matrix(ml.Sparse.from(X), X), k:diagonal(X), k:gradient(X), k:gradient_dot(X, W), k * k,
            ml.load(ml.dump(k))
      end
      collectgarbage()
      collectgarbage()
      local blocks, failures, ok = core.memory.blocks(), 0
      repeat
         core.memory.fail_after(failures)
         ok = pcall(all)
         core.memory.fail_after(-1)
         failures = failures + 1
      until ok or failures > 5000
      assert(ok and failures > 20)
      collectgarbage()
      collectgarbage()
      assert.equal(blocks, core.memory.blocks())
   end)
end)

describe("A kernel that is a Lua function", function()
   local X, Y = ml.random(20, 3, 1), ml.random(4, 3, 2)
   local function dot(x, y) return x:dot(y) end
   local by_rows = kernel.Function { rows = dot }
   local by_matrices = kernel.Function { matrices = function(A, B) return A * B:t() end }

   it("is called with rows or matrices", function()
      local wanted = kernel.Linear {}
      for _, k in ipairs { by_rows, by_matrices, kernel.Function(dot) } do
         support.near_rows(wanted:matrix(X), k:matrix(X), 1e-14)
         support.near_rows(wanted:matrix(X, Y), k:matrix(X, Y), 1e-14)
         support.near_rows(wanted:matrix(X, Y), k:matrix(ml.Sparse.from(X), Y), 1e-14)
         support.near_all(wanted:diagonal(X), k:diagonal(X), 1e-14)
         support.near_rows((wanted * kernel.RBF {} + kernel.White {}):matrix(X),
            (k * kernel.RBF {} + kernel.White {}):matrix(X), 1e-14)
      end
      local narrow = kernel.Function { rows = dot, columns = { 2 } }
      support.near_rows(kernel.Linear { columns = { 2 } }:matrix(X), narrow:matrix(X), 1e-14)
   end)

   it("works in a coroutine, and may use the library", function()
      local made = coroutine.wrap(function()
         return kernel.Function(function(x, y) return kernel.RBF {}:matrix({ x:totable() }, { y:totable() })[1][1] end)
            :matrix(Y)
      end)()
      support.near_rows(kernel.RBF {}:matrix(Y), made, 1e-15)
   end)

   it("passes its errors on, and may be used again", function()
      local calls, mistake = 0, { "mine" }
      local k = kernel.Function(function(x, y)
         calls = calls + 1
         if calls == 7 then error(mistake) end
         return x:dot(y)
      end)
      local ok, message = pcall(k.matrix, k, X)
      assert(not ok and message == mistake)
      support.near_rows(kernel.Linear {}:matrix(X), k:matrix(X), 1e-14)
   end)

   it("refuses wrong results", function()
      local function of(value) return kernel.Function(function() return value end) end
      refuses("must return a number, got nil", function() of(nil):matrix(X) end)
      refuses("must return a number, got string", function() of("1"):diagonal(X) end)
      refuses("must return a finite number, got nan", function() of(0 / 0):matrix(X) end)
      local function matrices(value) return kernel.Function { matrices = function() return value end } end
      refuses("must return a Matrix of 20 x 4, got number", function() matrices(1):matrix(X, Y) end)
      refuses("must return a Matrix of 20 x 4, got Vector", function() matrices(ml.Vector { 1 }):matrix(X, Y) end)
      refuses("must return a Matrix of 20 x 4, got 4 x 20", function() matrices(ml.zeros(4, 20)):matrix(X, Y) end)
      refuses("is nan for rows 1 and 1", function() matrices(ml.full(4, 4, 0 / 0)):matrix(Y) end)
      refuses("rows must be a function, got nil", kernel.Function, {})
      refuses("matrices must be a function, got number", kernel.Function, { matrices = 1 })
      refuses("give either rows or matrices, not both", kernel.Function, { rows = dot, matrices = dot })
   end)

   it("cannot be saved", function()
      refuses("a kernel that is a Lua function cannot be saved", ml.dump, by_rows)
      refuses("a kernel that is a Lua function cannot be saved", ml.dump, { by_rows + kernel.White {} })
   end)

   it("is collected with its kernel", function()
      local seen = setmetatable({}, { __mode = "k" })
      for _ = 1, 20 do
         local f = function() return #seen end
         seen[f] = true
         assert(kernel.Function(f) + kernel.White {} ~= nil)
      end
      collectgarbage()
      collectgarbage()
      collectgarbage()
      local left = 0
      for _ in pairs(seen) do left = left + 1 end
      assert(left <= 1, left .. " functions are left")
   end)
end)
