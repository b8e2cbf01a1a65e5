local ml = require "manilius"
local support = require "spec.support"
local fixture = require "spec.fixtures.c45"
local near, refuses = support.near, support.refuses
local nan = 0 / 0

local SETTINGS = {
   default = {},
   unpruned = { unpruned = true },
   ["no raising"] = { subtree_raising = false },
   strict = { confidence_factor = 0.05, min_num_obj = 10 },
}

local function read(set)
   local frame = ml.read_csv("examples/data/" .. set.file .. ".csv"):dropna(set.target)
   return frame:select(set.columns), frame[set.target]
end

-- A condition with six digits.
local function short(condition)
   return (condition:gsub("= (%d[%d.]*)$", function(number) return ("= %.6g"):format(number) end)
      :gsub("> (%d[%d.]*)$", function(number) return ("> %.6g"):format(number) end))
end

-- The nodes by depth as J48 prints them.
local function lines_of(tree)
   local nodes, children, out = tree:nodes(), {}, {}
   for i = 2, nodes.rows do
      local parent = math.tointeger(nodes.parent[i])
      children[parent] = children[parent] or {}
      table.insert(children[parent], i)
   end
   local function walk(i)
      if i > 1 then
         local parent = math.tointeger(nodes.parent[i])
         out[#out + 1] = { math.tointeger(nodes.depth[i]) - 1, nodes.question[parent] .. " " .. nodes.branch[i],
            children[i] and "" or nodes.answer[i], children[i] and -1 or nodes.cover[i] }
      end
      for _, child in ipairs(children[i] or {}) do walk(child) end
   end
   walk(1)
   if #out == 0 then out[1] = { 0, "", nodes.answer[1], nodes.cover[1] } end
   return out
end

describe("C45Classifier beside J48", function()
   for _, set in ipairs(fixture) do
      for _, run in ipairs(set.runs) do
         it(("has the same tree and shares: %s, %s"):format(set.set, run.run), function()
            local X, y = read(set)
            local tree = ml.C45Classifier(SETTINGS[run.run]):fit(X, y)
            local got = lines_of(tree)
            for i, wanted in ipairs(run.nodes) do
               assert.same({ wanted[1], short(wanted[2]), wanted[3] }, { got[i][1], short(got[i][2]), got[i][3] })
               near(wanted[4], got[i][4], 0.0051, "weight of " .. wanted[2], 1)
            end
            assert.equal(#run.nodes, #got)
            local shares = tree:predict_proba(X)
            for k, wanted in ipairs(run.shares) do
               for c, share in ipairs(wanted) do near(share, shares:get(7 * k - 6, c), 0.00051, "row " .. 7 * k - 6, 1) end
            end
         end)
      end
   end
end)
