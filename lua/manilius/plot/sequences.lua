--- Plots of Markov chains and hidden Markov models: states over a series, transitions between states, and the trellis.

local core = require "manilius.core"
local define = require "manilius.plot.diagnose"
local estimator = require "manilius.estimator"
local inputs = require "manilius.plot.inputs"
local parts = require "manilius.metrics.parts"

local fail = parts.fail

local function hidden(model)
   local last = inputs.last(inputs.model(model))
   if estimator.name(last) ~= "HMM" then fail("model must be a fitted HMM, got %s", estimator.name(last)) end
   return last
end

-- The names of k states.
local function state_names(model, k)
   local known, classes = pcall(function() return model.classes end)
   local names = {}
   for s = 1, k do names[s] = known and classes and tostring(classes[s]) or ("state %d"):format(s) end
   return names
end

-- --- states over a series ---

local function column_values(X, column)
   local names = inputs.column_names(X)
   local at = column == nil and 1 or parts.place(names, column) or math.type(column) == "integer" and names[column]
      and column
   if not at then fail("column must be one of %s, got %s", table.concat(names, ", "), parts.text(column)) end
   local values = X.names and X.columns[at] or X:col(at):copy()
   if type(values) ~= "userdata" or not pcall(function() return values + 0 end) then
      fail("column must be numbers, got %s; choose another one", names[at])
   end
   return values, names[at]
end

-- The positions of the rows of each state, found in their order.
local function by_state(path, k)
   local rows = {}
   for s = 1, k do rows[s] = {} end
   for i = 1, #path do table.insert(rows[math.tointeger(path[i])], i) end
   return rows
end

local function states(model, X, o)
   local last = hidden(model)
   X = inputs.x(X)
   local options = o.lengths and { lengths = o.lengths } or nil
   local path = last:viterbi(X, options).states
   local values, name = column_values(X, o.column)
   local k = #last.startprob
   local at, names = {}, state_names(last, k)
   for i = 1, #path do at[i] = i end
   local layers = { { kind = "line", x = at, y = values, color = "grey", width = 0.7 } }
   for s, rows in ipairs(by_state(path, k)) do
      local x, y = {}, {}
      for i, row in ipairs(rows) do x[i], y[i] = row, values[row] end
      if #rows > 0 then layers[#layers + 1] = { kind = "points", x = x, y = y, color = s, name = names[s] } end
   end
   return { title = "Likeliest states", caption = inputs.title(model),
      panels = { { x = "row", y = name, layers = layers } } }
end

-- --- transitions ---

local RADIUS, GAP, LABEL_GAP, MAX_STATES = 1, 0.3, 0.13, 24

local function transitions_of(model)
   local last = inputs.last(inputs.model(model))
   local name = estimator.name(last)
   local p = name == "HMM" and estimator.learned(last, "transmat")
      or name == "MarkovChain" and estimator.learned(last, "transition_matrix")
   if not p then fail("model must be a fitted MarkovChain or HMM, got %s", name) end
   if p.rows ~= p.cols then fail("model must have order = 1, got a model of order 2 or more") end
   if p.rows > MAX_STATES then fail("model must have at most %d states, got %d", MAX_STATES, p.rows) end
   return p, state_names(last, p.rows)
end

-- States on a circle, the first at the top, in the order of a clock.
local function place(s, k)
   local angle = math.pi / 2 - 2 * math.pi * (s - 1) / k
   return RADIUS * math.cos(angle), RADIUS * math.sin(angle)
end

-- An arrow from a to b, which ends before b and leaves room for one in the other direction.
local function arrow(a, b, k)
   local x1, y1 = place(a, k)
   local x2, y2 = place(b, k)
   local dx, dy = x2 - x1, y2 - y1
   local length = math.sqrt(dx * dx + dy * dy)
   dx, dy = dx / length, dy / length
   local sx, sy = -dy * 0.07, dx * 0.07
   return x1 + dx * GAP + sx, y1 + dy * GAP + sy, x2 - dx * GAP + sx, y2 - dy * GAP + sy
end

-- The place of the label of an arrow: nearer to its start, on the side of it where there is no arrow back.
local function beside(x1, y1, x2, y2)
   local dx, dy = x2 - x1, y2 - y1
   local length = math.sqrt(dx * dx + dy * dy)
   return x1 + 0.4 * dx - LABEL_GAP * dy / length, y1 + 0.4 * dy + LABEL_GAP * dx / length
end

local function transitions(model, o)
   local p, names = transitions_of(model)
   local least = parts.number(o, "least", 0.005, 0, 1)
   local k, layers, labels = p.rows, {}, { x = {}, y = {}, text = {} }
   for i = 1, k do
      for j = 1, k do
         local value = p:get(i, j)
         if i ~= j and value >= least then
            local x1, y1, x2, y2 = arrow(i, j, k)
            layers[#layers + 1] = { kind = "segments", x1 = { x1 }, y1 = { y1 }, x2 = { x2 }, y2 = { y2 }, arrow = true,
               color = i, width = 0.5 + 4 * value }
            local n = #labels.x + 1
            labels.x[n], labels.y[n] = beside(x1, y1, x2, y2)
            labels.text[n] = ("%.2f"):format(value)
         end
      end
   end
   if #labels.x > 0 then
      layers[#layers + 1] = { kind = "text", x = labels.x, y = labels.y, text = labels.text }
   end
   local nodes = { kind = "text", x = {}, y = {}, text = {}, boxed = true }
   for s = 1, k do
      nodes.x[s], nodes.y[s] = place(s, k)
      nodes.text[s] = ("%s (%.2f)"):format(names[s], p:get(s, s))
   end
   layers[#layers + 1] = nodes
   local range = { -1.5 * RADIUS, 1.5 * RADIUS }
   return { title = "Transitions", caption = inputs.title(model) .. "; in brackets the probability to stay",
      panels = { { x_range = range, y_range = range, x_ticks = {}, y_ticks = {}, frame = false, layers = layers } } }
end

-- --- trellis ---

local MAX_ROWS = 30

-- The states of each row, as large as they are likely given all rows, and the likeliest path.
local function trellis(model, X, _)
   local last = hidden(model)
   X = inputs.x(X)
   local p, path = last:predict_proba(X), last:viterbi(X).states
   if p.rows > MAX_ROWS then fail("X must have at most %d rows, got %d", MAX_ROWS, p.rows) end
   local names, x, y, value, label = state_names(last, p.cols), {}, {}, {}, {}
   for t = 1, p.rows do
      for s = 1, p.cols do
         local n = #x + 1
         x[n], y[n], value[n], label[n] = t, s, p:get(t, s), ("%.2f"):format(p:get(t, s))
      end
   end
   local at = {}
   for t = 1, p.rows do at[t] = t end
   local ticks = {}
   for s, name in ipairs(names) do ticks[s] = { s, name } end
   local caption = inputs.title(model) .. "; numbers: probabilities of states given all rows; line: the likeliest path"
   return { title = "Trellis", caption = caption,
      panels = { { x = "row", y_ticks = ticks, x_range = { 0.5, p.rows + 0.5 },
         y_range = { 0.5, p.cols + 0.5 }, layers = {
            { kind = "line", x = at, y = path, color = "grey", width = 2 },
            { kind = "points", x = x, y = y, value = value, low = 0, high = 1, size = 2 },
            { kind = "text", x = x, y = core.Vector(y) + 0.2, text = label },
         } } } }
end

return function(module)
   define(module, "states", { args = { "model", "X" }, data_args = 2, fn = states,
      brief = "The likeliest states of a hidden Markov model over a series.",
      source = "Rabiner, Proc. IEEE 77 (1989)",
      options = { column = "the column to draw, by number or name; default 1",
         lengths = "rows of each of several sequences" } })
   define(module, "transitions", { args = { "model" }, data_args = 1, fn = transitions,
      brief = "The transitions of a MarkovChain or HMM as a graph.",
      notes = "Arrows have the color of the state that they leave.",
      source = "Norris, Markov Chains (1997)",
      options = { least = "smallest probability that is drawn; default 0.005" } })
   define(module, "trellis", { args = { "model", "X" }, data_args = 2, fn = trellis,
      brief = "The trellis of a hidden Markov model: probability of each state at each row.",
      source = "Forney, Proc. IEEE 61 (1973)", options = {} })
end
