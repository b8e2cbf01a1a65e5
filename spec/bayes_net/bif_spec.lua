local ml = require "manilius"
local support = require "spec.support"

local function file_of(source)
   local path = os.tmpname()
   local file = assert(io.open(path, "w"))
   file:write(source)
   file:close()
   return path
end

local ASIA = support.read_file "examples/data/asia.bif"

describe("BIF files", function()
   for _, name in ipairs { "asia", "alarm" } do
      it("of " .. name .. " are written back with the same network", function()
         local net = ml.read_bif("examples/data/" .. name .. ".bif")
         local path = file_of(net:bif())
         local again = ml.read_bif(path)
         os.remove(path)
         assert.equal(net:model_string(), again:model_string())
         assert.equal(net:bif(), again:bif())
         assert.same(net:marginals().labels.probability:totable(), again:marginals().labels.probability:totable())
      end)
   end

   it("have the numbers of nodes, edges and parameters that are published", function()
      assert.matches("37 nodes, 46 edges, 509 free parameters", tostring(ml.read_bif "examples/data/alarm.bif"))
      assert.matches("8 nodes, 8 edges, 18 free parameters", tostring(ml.read_bif "examples/data/asia.bif"))
   end)

   it("may have comments, quotes, whole tables, defaults and properties", function()
      local path = file_of [[
network "two words" { property version 1; }
// a comment
variable a { type discrete [ 2 ] { "low value", high }; property x = 1 ; }
variable b { type discrete[2] {yes no}; /* no
commas */ }
probability ( a ) { table 0.25, 0.75 ; }
probability ( b | a ) { table 0.1 0.2 0.9 0.8; }
variable c { type discrete [2] { t, f }; }
probability ( c | a, b ) { default 0.5, 0.5; ("low value", no) 1, 0; }
]]
      local net = ml.read_bif(path)
      os.remove(path)
      assert.near(0.25 * 0.1 + 0.75 * 0.2, net:query "b".probability[1], 1e-15)
      assert.near(0.25 * 0.9 + 0.5 * (1 - 0.25 * 0.9), net:query "c".probability[1], 1e-15)
      local again = file_of(net:bif())
      assert.equal(net:bif(), ml.read_bif(again):bif())
      os.remove(again)
   end)

   local function refused(line, what, source)
      local path = file_of(source)
      local ok, message = pcall(ml.read_bif, path)
      os.remove(path)
      assert.is_false(ok)
      assert.is_truthy(message:find(path .. ":" .. line .. ": " .. what, 1, true), message)
   end

   local HEAD = "network n {\n}\nvariable a { type discrete [ 2 ] { x, y }; }\n"

   it("that are malformed are refused with path and line", function()
      refused(1, "expected network, variable or probability, got 'net'", "net {")
      refused(4, "probabilities must add up to 1, got 0.9", HEAD .. "probability ( a ) { table 0.4, 0.5; }")
      refused(4, "expected 2 probabilities, got 3", HEAD .. "probability ( a ) { default 0.4, 0.5, 0.1; }")
      refused(4, "variable 'b' is not declared", HEAD .. "probability ( b ) { table 1; }")
      refused(3, "variable 'a' must have 3 values, got 2",
         "network n {\n}\nvariable a { type discrete [ 3 ] { x, y }; }")
      refused(4, "expected a probability, got 'zero'", HEAD .. "probability ( a ) { table zero, 1; }")
      refused(4, "variable 'a' has no table", HEAD .. "")
      refused(4, "expected ';', got the end", HEAD .. "variable b { property x")
      refused(3, "a comment is not closed", "network n {\n}\n/* ")
      refused(1, "the file has no variables", "")
   end)

   it("of another kind are refused with a remedy, and without control characters", function()
      local path = file_of("\31\139\8\0")
      support.refuses(path:gsub("%p", "%%%0") .. " is compressed; decompress it first", ml.read_bif, path)
      os.remove(path)
      refused(1, "expected network, variable or probability, got '????" .. ("x"):rep(34) .. "..'",
         "\0\1\2\127" .. ("x"):rep(1000))
      support.refuses("or ml.read_bif", ml.BayesNet, { path = "examples/data/asia.bif" })
      local asia = ml.read_bif "examples/data/asia.bif"
      support.refuses("evidence.xray: node 'xray' is missing %(nan%); leave it out", asia.query, asia, "lung",
         { xray = 0 / 0 })
   end)

   it("with cycles are refused with the cycle", function()
      local path = file_of(HEAD .. [[
variable b { type discrete [ 2 ] { x, y }; }
probability ( a | b ) { (x) 0.5, 0.5; (y) 0.5, 0.5; }
probability ( b | a ) { (x) 0.5, 0.5; (y) 0.5, 0.5; }
]])
      support.refuses("the network has a cycle: a %-> b %-> a", ml.read_bif, path)
      os.remove(path)
   end)

   it("cut off anywhere, or with any byte changed, are read or refused", function()
      local draw = support.draws "bif"
      for _ = 1, 150 do
         local at = 1 + math.floor(draw() * #ASIA)
         local source = draw() < 0.5 and ASIA:sub(1, at)
            or ASIA:sub(1, at - 1) .. string.char(math.floor(draw() * 256)) .. ASIA:sub(at + 1)
         local path = file_of(source)
         local ok, message = pcall(ml.read_bif, path)
         os.remove(path)
         if not ok then assert.is_truthy(tostring(message):find(path, 1, true), message) end
      end
   end)

   it("hold labels only", function()
      support.refuses("'x' is a number; use save", function()
         ml.BayesNet { edges = "x -> y", cpts = { x = { 0, 1 }, y = { 0, 1, 1 } } }:bif()
      end)
   end)
end)
