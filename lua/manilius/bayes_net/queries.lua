--- Queries of a BayesNet: posteriors, joint distributions, most probable values, interventions, sensitivity, samples.

local core = require "manilius.core"
local evidence = require "manilius.bayes_net.evidence"
local options_of = require "manilius.options"
local rows = require "manilius.rows"
local structure = require "manilius.bayes_net.structure"
local tables = require "manilius.bayes_net.tables"
local text = require "manilius.text"

local M = {}

local fail = structure.fail

local METHODS = { "exact", "likelihood_weighting", "gibbs" }

M.OPTIONS = {
   method = "exact, likelihood_weighting or gibbs", samples = "number of samples; default 10000",
   chains = "number of Gibbs chains; default 8", burn_in = "sweeps of each chain that are not counted; default 500",
   seed = "seed of the samples; default 0",
}

local function whole(name, value, low)
   if math.tointeger(value) == nil or value < low then
      fail("%s must be a whole number >= %d, got %s", name, low, tostring(value))
   end
   return math.tointeger(value)
end

-- The options of a query, with defaults.
local function read_options(who, options)
   options = options_of.check("BayesNet:" .. who, options, M.OPTIONS, 0)
   local o = { method = options.method or "exact" }
   if not text.contains(METHODS, o.method) then
      fail("method must be one of %s, got %s", table.concat(METHODS, ", "), tostring(o.method))
   end
   o.samples = whole("samples", options.samples or 10000, 1)
   o.chains = whole("chains", options.chains or 8, 1)
   o.burn_in = whole("burn_in", options.burn_in or 500, 0)
   o.seed = whole("seed", options.seed or 0, 0)
   if o.chains > 1000 then fail("chains must be at most 1000, got %d", o.chains) end
   return o
end

-- --- posteriors ---

-- Chains that change one node at a time cannot leave a state whose neighbors are impossible.
local function warn_of_zeros(net)
   for v, name in ipairs(net.names) do
      local at = tables.places(net)
      for i = at[v], net.levels[v] and at[v + 1] - 1 or 0 do
         if net.table[i] == 0 then
            rows.warn(("BayesNet: Gibbs sampling may not reach all states of tables with zeros, as that of '%s' has; "
               .. "use method = \"likelihood_weighting\""):format(name))
            return
         end
      end
   end
end

-- The values of all nodes one after the other, standard errors or nil, log p(evidence), and what it took.
-- relevant: list of nodes that matter, or nil for all
local function posterior(net, given, o, limit, relevant)
   local values, soft = evidence.read(net, given)
   if o.method == "exact" then
      local out, log_p, cost = core.bayes_posterior(net, values, soft, limit, relevant)
      return out, nil, log_p, cost
   end
   if o.method == "gibbs" then warn_of_zeros(net) end
   local out, errors, effective, log_p = core.bayes_approximate(net, values, soft, { samples = o.samples,
      chains = o.method == "gibbs" and o.chains or 0, burn_in = o.burn_in, seed = o.seed })
   return out, errors, log_p, { effective_samples = effective }
end

-- Where the values of each node begin.
local function value_places(net)
   if net.value_places then return net.value_places end
   local at, sum = {}, 0
   for v in ipairs(net.names) do at[v], sum = sum, sum + (net.levels[v] and #net.levels[v] or 2) end
   net.value_places = at
   return at
end

-- Lists that grow to the columns of a Frame.
local function frame_of(columns)
   local names, out = {}, {}
   for _, column in ipairs(columns) do
      if column[3] then
         names[#names + 1] = column[1]
         out[#out + 1] = type(column[2]) == "table" and (column.numbers and core.Vector or core.Factor)(column[2])
            or column[2]
      end
   end
   return rows.frame(names, out)
end

local function discrete_frame(net, nodes, values, errors)
   local node, value, p, e, at = {}, {}, {}, {}, value_places(net)
   for _, v in ipairs(nodes) do
      for i, label in ipairs(net.levels[v] or {}) do
         node[#node + 1], value[#value + 1] = net.names[v], tostring(label)
         p[#p + 1] = values[at[v] + i]
         if errors then e[#e + 1] = errors[at[v] + i] end
      end
   end
   return frame_of { { "node", node, true }, { "value", value, true }, { "probability", p, true, numbers = true },
      { "std_error", e, errors ~= nil, numbers = true } }
end

local function number_frame(net, nodes, values, errors)
   local node, mean, sd, e, at = {}, {}, {}, {}, value_places(net)
   for _, v in ipairs(nodes) do
      if not net.levels[v] then
         node[#node + 1] = net.names[v]
         mean[#mean + 1], sd[#sd + 1] = values[at[v] + 1], values[at[v] + 2]
         if errors then e[#e + 1] = errors[at[v] + 1] end
      end
   end
   return frame_of { { "node", node, true }, { "mean", mean, true, numbers = true },
      { "sd", sd, true, numbers = true }, { "std_error", e, errors ~= nil, numbers = true } }
end

local Marginals = { __name = "Marginals" }

function Marginals.__tostring(self)
   local lines = {}
   for _, name in ipairs { "labels", "numbers" } do
      if rawget(self, name) then lines[#lines + 1] = tostring(self[name]) end
   end
   lines[#lines + 1] = ("log probability of the evidence: %.6g"):format(self.log_evidence)
   return table.concat(lines, "\n")
end

--- Posteriors of all nodes, or of `names`.
function M.marginals(net, limit, given, options)
   local o = read_options("marginals", options)
   local values, errors, log_p, cost = posterior(net, given, o, limit)
   local all, has = {}, {}
   for v in ipairs(net.names) do all[v], has[net.levels[v] and "labels" or "numbers"] = v, true end
   if type(cost) == "table" then cost = require "manilius.options".printable(cost) end
   local out = { log_evidence = log_p, cost = cost, method = o.method }
   if has.labels then out.labels = discrete_frame(net, all, values, errors) end
   if has.numbers then out.numbers = number_frame(net, all, values, errors) end
   return setmetatable(out, Marginals)
end

-- The nodes that can matter for these: they, the evidence, and their ancestors.
local function relevant_nodes(net, nodes, given)
   local list, seen = {}, {}
   for _, v in ipairs(nodes) do list[#list + 1], seen[v] = v, true end
   for name in pairs(given or {}) do
      local v = structure.node(net, "evidence", name)
      if not seen[v] then list[#list + 1], seen[v] = v, true end
   end
   return core.bayes_ancestors(net, list):nonzero():totable()
end

local function check_free(net, nodes, values)
   for _, v in ipairs(nodes) do
      if values[v] == values[v] then fail("node '%s' is both asked for and known", net.names[v]) end
   end
end

-- A column for each node and the probabilities, the last node fastest.
local function joint_frame(net, nodes, p)
   local columns, repeats = {}, #p
   for k, v in ipairs(nodes) do
      local levels, labels = net.levels[v], {}
      repeats = repeats // #levels
      for i = 1, #p do labels[i] = levels[(i - 1) // repeats % #levels + 1] end
      columns[k] = { net.names[v], labels, true }
   end
   local name = "probability"
   while net.index[name] do name = name .. "_" end
   columns[#columns + 1] = { name, p, true }
   return frame_of(columns)
end

local function sampled_query(net, nodes, given, o)
   if #nodes > 1 then
      fail("method = \"%s\" gives one node at a time, got %d; ask for marginals, or use the exact method", o.method,
         #nodes)
   end
   local values, errors = posterior(net, given, o)
   if not net.levels[nodes[1]] then return number_frame(net, nodes, values, errors) end
   local at, p, e = value_places(net)[nodes[1]], {}, {}
   for i in ipairs(net.levels[nodes[1]]) do p[i], e[i] = values[at + i], errors[at + i] end
   local out = joint_frame(net, nodes, core.Vector(p))
   return rows.frame({ out.names[1], out.names[2], "std_error" }, { out.columns[1], out.columns[2], core.Vector(e) })
end

--- The joint posterior of one or a few nodes, all with labels or all numbers.
function M.query(net, limit, names, given, options)
   local o = read_options("query", options)
   local nodes = structure.nodes(net, "names", names)
   if #nodes == 0 then fail "names must be a node or a list of nodes; for all nodes use marginals(evidence)" end
   local values, soft = evidence.read(net, given)
   check_free(net, nodes, values)
   local discrete = net.levels[nodes[1]] and true or false
   for _, v in ipairs(nodes) do
      if (net.levels[v] and true or false) ~= discrete then
         fail("names must all have labels or all be numbers, got '%s' and '%s'", net.names[nodes[1]], net.names[v])
      end
   end
   if o.method ~= "exact" then return sampled_query(net, nodes, given, o) end
   if not discrete then
      return number_frame(net, nodes, (posterior(net, given, o, limit, relevant_nodes(net, nodes, given))))
   end
   if #nodes > 1 then return joint_frame(net, nodes, (core.bayes_joint(net, values, soft, limit, nodes))) end
   local all = posterior(net, given, o, limit, relevant_nodes(net, nodes, given))
   local at = value_places(net)[nodes[1]]
   return joint_frame(net, nodes, all:slice(at + 1, at + #net.levels[nodes[1]]):copy())
end

--- Means and covariances of numbers that edges join.
function M.covariance(net, limit, names, given)
   local nodes = structure.nodes(net, "names", names)
   if #nodes == 0 then fail "names must be a number or a list of numbers" end
   for _, v in ipairs(nodes) do
      if net.levels[v] then fail("names must be numbers, but '%s' has labels", net.names[v]) end
   end
   local values, soft = evidence.read(net, given)
   local mean, covariance = core.bayes_joint_numbers(net, values, soft, limit, nodes)
   return covariance, mean
end

--- log p(evidence); a density if numbers are among it.
function M.log_evidence(net, limit, given)
   local values, soft, named = evidence.read(net, given)
   local nodes = {}
   for v in pairs(named) do nodes[#nodes + 1] = v end
   if #nodes == 0 then return 0.0 end
   local _, log_p = core.bayes_posterior(net, values, soft, limit, relevant_nodes(net, nodes, given))
   return log_p
end

-- Is this the error for evidence of probability 0?
local function is_impossible(message)
   return type(message) == "string" and message:find("have probability 0", 1, true) ~= nil
end

--- P(event | evidence): both as evidence; 0 for impossible events.
function M.probability(net, limit, event, given)
   local _, _, of_event = evidence.read(net, event, "event")
   if next(of_event) == nil then return 1.0 end
   local both = {}
   for name, value in pairs(given or {}) do both[name] = value end
   for name, value in pairs(event) do
      if type(value) == "table" then fail("event.%s must be a value, not likelihoods", name) end
      if both[name] ~= nil and both[name] ~= value then
         if type(both[name]) ~= "table" then return 0.0 end
         fail("event.%s: the node has likelihoods in the evidence; use query", name)
      end
      both[name] = value
   end
   local log_p = M.log_evidence(net, limit, given)
   local ok, log_both = rows.try(M.log_evidence, net, limit, both)
   if ok then return math.exp(log_both - log_p) end
   if is_impossible(log_both) then return 0.0 end
   error(log_both, 0)
end

-- --- most probable values ---

local function named_values(net, values)
   local out = {}
   for v, name in ipairs(net.names) do out[name] = evidence.value(net, v, values[v]) end
   return options_of.named(out, "node")
end

--- The most probable values of all nodes given the evidence, and log p(values).
function M.mpe(net, limit, given)
   local values, soft = evidence.read(net, given)
   local found, log_p = core.bayes_mpe(net, values, soft, limit)
   return named_values(net, found), log_p
end

--- The most probable values of a few nodes with labels, the others summed over, and their probability.
function M.map(net, limit, names, given)
   local nodes = structure.nodes(net, "names", names)
   if #nodes == 0 then fail "names must be a node or a list of nodes; for all nodes use mpe(evidence)" end
   local values, soft = evidence.read(net, given)
   check_free(net, nodes, values)
   for _, v in ipairs(nodes) do
      if not net.levels[v] then fail("names must have labels, but '%s' is a number", net.names[v]) end
   end
   local p = core.bayes_joint(net, values, soft, limit, nodes)
   local best = p:argmax()
   local out, rest = {}, best - 1
   for k = #nodes, 1, -1 do
      local levels = net.levels[nodes[k]]
      out[net.names[nodes[k]]] = levels[rest % #levels + 1]
      rest = rest // #levels
   end
   return options_of.named(out, "node"), p[best]
end

-- --- interventions ---

--- The network in which these nodes are set to values from outside: their edges from parents are cut.
function M.intervene(net, values_by_name)
   if type(values_by_name) ~= "table" or next(values_by_name) == nil then
      fail("values must be a table of values by the names of nodes, got %s", rows.kind(values_by_name))
   end
   local codes, soft, named = evidence.read(net, values_by_name, "values")
   if soft then fail "values must be labels or numbers; an intervention sets a node to one value" end
   local parents, all, at = {}, {}, tables.places(net)
   for v in ipairs(net.names) do
      parents[v] = named[v] and {} or net.parents[v]
      if named[v] and net.levels[v] then
         for i in ipairs(net.levels[v]) do all[#all + 1] = i - 1 == codes[v] and 1 or 0 end
      elseif named[v] then
         all[#all + 1], all[#all + 2] = codes[v], 0
      else
         for i = at[v], at[v + 1] - 1 do all[#all + 1] = net.table[i] end
      end
   end
   local made = structure.new(net.names, net.levels, parents)
   made.table = core.Vector(all)
   return made
end

-- --- sensitivity ---

local function parents_text(net, node, c)
   local labels, parts = tables.configuration(net, node, c), {}
   for k, u in ipairs((tables.shape(net, node))) do
      parts[k] = ("%s = %s"):format(net.names[u], tostring(labels[k]))
   end
   return table.concat(parts, ", ")
end

--- d P(event | evidence) / d p for the entries of the tables of `names` (nil: all that matter), the largest first.
function M.sensitivity(net, limit, event, given, names)
   local query, label
   for name, value in pairs(type(event) == "table" and event or {}) do
      if query then fail "event must be one node and its label, { node = label }" end
      query, label = structure.node(net, "event", name), value
   end
   if not query or not net.levels[query] then fail "event must be one node and its label, { node = label }" end
   local code = structure.code(net, query, label, "event")
   local values, soft = evidence.read(net, given)
   check_free(net, { query }, values)
   local nodes = structure.nodes(net, "names", names)
   if names == nil then nodes = relevant_nodes(net, { query }, given) end
   local node, value, condition, p, slope = {}, {}, {}, {}, {}
   for _, v in ipairs(nodes) do
      local found = net.levels[v] and core.bayes_sensitivity(net, values, soft, limit, query, code + 1, v)
      for i = 1, found and #found or 0 do
         local card, k = #net.levels[v], #node + 1
         node[k], value[k] = net.names[v], tostring(net.levels[v][(i - 1) % card + 1])
         condition[k] = parents_text(net, v, (i - 1) // card)
         p[k], slope[k] = net.table[tables.places(net)[v] + i - 1], found[i]
      end
   end
   if #node == 0 then fail "names must be nodes with labels" end
   local order = core.Vector(slope):abs():argsort "descending"
   return frame_of { { "node", core.Factor(node), true }, { "value", core.Factor(value), true },
      { "parents", core.Factor(condition), true }, { "probability", core.Vector(p), true },
      { "derivative", core.Vector(slope), true } }:take(order)
end

-- --- samples ---

--- A Frame of the nodes from a Matrix of values of the core.
function M.frame(net, values)
   local columns = {}
   for v in ipairs(net.names) do
      local column = values:col(v):copy()
      columns[v] = net.levels[v] and core.Factor(net.levels[v]):take(column + 1) or column
   end
   return rows.frame({ table.unpack(net.names) }, columns)
end

function M.sample(net, n, seed)
   return M.frame(net, core.bayes_sample(net, whole("n", n or 1, 0), whole("seed", seed or 0, 0)))
end

return M
