--- BayesNet: a Bayesian network with its structure, tables and queries.
--
-- The settings may give a whole network, which then answers queries without fit; fit learns tables, and the structure
-- if it is asked to. The algorithms are those of src/bayes_net.

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local learn = require "manilius.bayes_net.learn"
local queries = require "manilius.bayes_net.queries"
local rows = require "manilius.rows"
local structure = require "manilius.bayes_net.structure"
local tables = require "manilius.bayes_net.tables"
local text = require "manilius.text"

local M = {}

local WHO = "BayesNet"
local fail = structure.fail

-- --- the network of a model ---

-- What was made of the settings or learned fields of a model, and from which values.
local made = setmetatable({}, { __mode = "k" })

local SETTINGS = { "nodes", "edges", "parents", "levels", "cpts" }

local function of_settings(self)
   local edges = structure.given_edges(self)
   local list = self.nodes or {}
   if edges == nil and #list == 0 then
      if self.structure ~= nil then fail("structure = \"%s\" is learned by fit; call fit first", self.structure) end
      fail "edges, parents or structure must be given"
   end
   local net = structure.from_edges(list, edges or {}, function(name)
      return structure.given_levels(self, name)
   end)
   if self.cpts ~= nil then
      local missing
      net.table, missing = tables.read(net, self.cpts)
      if not net.table then fail("cpts has no table of node '%s'", missing) end
   end
   return net
end

local function of_fields(self)
   local net = structure.new(self.node_names, self.node_levels, self.node_parents)
   net.table = self.probabilities
   return net
end

-- Values that the network was made from.
local function sources(self)
   if rawget(self, "fitted") then return { rawget(self, "probabilities") } end
   local out = {}
   for i, name in ipairs(SETTINGS) do out[i] = rawget(self, name) or false end
   return out
end

local function same(a, b)
   for i = 1, math.max(#a, #b) do
      if not rawequal(a[i], b[i]) then return false end
   end
   return true
end

--- The network of a BayesNet, as structure.lua describes it; `table` is nil without tables.
function M.network(self)
   local now = sources(self)
   local known = made[self]
   if known and same(known.sources, now) then return known.net end
   local net = rawget(self, "fitted") and of_fields(self) or of_settings(self)
   made[self] = { sources = now, net = net }
   return net
end

local function with_tables(self)
   local net = M.network(self)
   if not net.table then fail "the network has no tables; call fit first, or give cpts" end
   return net
end

-- --- methods ---

local function with_names(net, message)
   if type(message) ~= "string" or not net then return message end
   return structure.with_names(net, message:gsub("^[^\n:]*:%d+: ", "", 1))
end

local function pass(net, level, ok, ...)
   if ok then return ... end
   error(with_names(net, (...)), level)
end

-- A method f(net, self, ...) of a network, with tables if `full`. Errors have the position of the caller.
local function method(name, full, f)
   return function(self, ...)
      if estimator.class_of(self) ~= M.class then
         error(("%s: call it with a colon, as in net:%s(...), got %s in place of the network"):format(name, name,
            rows.kind(self)), 2)
      end
      local net
      return pass(nil, 2, pcall(function(...)
         net = (full and with_tables or M.network)(self)
         return pass(net, 0, pcall(f, net, self, ...))
      end, ...))
   end
end

local function of_query(name, query)
   return method(name, true, function(net, self, ...) return query(net, self.memory_limit, ...) end)
end

local function arcs(net)
   local from, to = {}, {}
   for v, parents in ipairs(net.parents) do
      for _, u in ipairs(parents) do from[#from + 1], to[#to + 1] = net.names[u], net.names[v] end
   end
   if #from == 0 then return rows.frame({ "from", "to" }, { core.Factor { n = 0 }, core.Factor { n = 0 } }) end
   return rows.frame({ "from", "to" }, { core.Factor(from), core.Factor(to) })
end

-- Nodes that share an edge or a child with a node, both ways: sets by node.
local function moral_neighbors(net)
   local near = {}
   for v = 1, #net.names do near[v] = {} end
   for v, parents in ipairs(net.parents) do
      for i, u in ipairs(parents) do
         near[u][v], near[v][u] = true, true
         for k = 1, i - 1 do near[u][parents[k]], near[parents[k]][u] = true, true end
      end
   end
   return near
end

local function moral_graph(net)
   local from, to, near = {}, {}, moral_neighbors(net)
   for u = 1, #net.names do
      for v = u + 1, #net.names do
         if near[u][v] then from[#from + 1], to[#to + 1] = net.names[u], net.names[v] end
      end
   end
   if #from == 0 then return arcs { names = {}, parents = {} } end
   return rows.frame({ "node", "neighbor" }, { core.Factor(from), core.Factor(to) })
end

local function blanket(net, name)
   local node, out = structure.node(net, "name", name), {}
   local in_blanket = {}
   for _, u in ipairs(net.parents[node]) do in_blanket[u] = true end
   for _, c in ipairs(structure.children(net, node)) do
      in_blanket[c] = true
      for _, u in ipairs(net.parents[c]) do in_blanket[u] = true end
   end
   for v = 1, #net.names do
      if in_blanket[v] and v ~= node then out[#out + 1] = v end
   end
   return structure.name_list(net, out)
end

local function d_connected(net, from, given)
   local observed = structure.nodes(net, "given", given)
   local sources_ = structure.nodes(net, "nodes", from)
   for _, v in ipairs(sources_) do
      if text.contains(observed, v) then fail("node '%s' is both asked for and given", net.names[v]) end
   end
   return core.bayes_connected(net, sources_, observed), sources_, observed
end

local function d_separated(net, a, b, given)
   local reached, sources_, observed = d_connected(net, a, given)
   for _, v in ipairs(structure.nodes(net, "nodes", b)) do
      if text.contains(sources_, v) then fail("node '%s' is on both sides", net.names[v]) end
      if text.contains(observed, v) then fail("node '%s' is both asked for and given", net.names[v]) end
      if reached[v] == 1 then return false end
   end
   return true
end

local function edge_matrix(net)
   local n = #net.names
   local edge = core.zeros(n, n)
   for v, parents in ipairs(net.parents) do
      for _, u in ipairs(parents) do edge:set(u, v, 1) end
   end
   return edge
end

-- The edges of the equivalence class: from, to, and whether they have a direction.
local function cpdag(net)
   local class, from, to, kind = core.bayes_class(edge_matrix(net)), {}, {}, {}
   for u = 1, #net.names do
      for v = 1, #net.names do
         if class[u][v] == 1 and (class[v][u] == 0 or u < v) then
            from[#from + 1], to[#to + 1] = net.names[u], net.names[v]
            kind[#kind + 1] = class[v][u] == 0 and "directed" or "undirected"
         end
      end
   end
   if #from == 0 then return arcs { names = {}, parents = {} } end
   return rows.frame({ "from", "to", "edge" }, { core.Factor(from), core.Factor(to), core.Factor(kind) })
end

-- --- data ---

local function data_of(net, X)
   local by_name, _, n = learn.columns(X)
   return learn.rows(net, by_name, n, true), n
end

local function score_samples(net, self, X)
   return core.bayes_log_rows(net, (data_of(net, X)), self.memory_limit)
end

local function score_options(self, options)
   options = require "manilius.options".check("BayesNet:structure_scores", options,
      { criterion = "loglik, aic, bic, bdeu, k2 or bge", weights = "one for each row",
         equivalent_sample_size = "of bdeu and bge" }, 0)
   local criterion = options.criterion or self.criterion
   if not text.contains(learn.CRITERIA, criterion) then
      fail("criterion must be one of %s, got %s", table.concat(learn.CRITERIA, ", "), tostring(criterion))
   end
   local ess = options.equivalent_sample_size or self.equivalent_sample_size or 1
   if type(ess) ~= "number" then fail("equivalent_sample_size must be a number, got %s", rows.kind(ess)) end
   return criterion, ess, options.weights
end

local function node_scores(net, self, X, options)
   local by_name, _, n = learn.columns(X)
   local criterion, ess, weights = score_options(self, options)
   weights = weights ~= nil and require "manilius.ensemble.parts".check_weights(WHO, weights, n) or nil
   return core.bayes_scores(net, learn.rows(net, by_name, n, {}), weights, { criterion = criterion, ess = ess })
end

local function target_node(net, self, name, what)
   name = name or self.target
   if name == nil then fail("%s(X, name) needs the name of a node, or the setting target", what) end
   return structure.node(net, "name", name)
end

local function probabilities(net, self, X, node)
   return core.bayes_predict(net, (data_of(net, X)), node, self.memory_limit)
end

-- The most probable label, or the mean; missing for rows that are impossible.
local function predict(net, self, X, name)
   local node = target_node(net, self, name, "predict")
   local p = probabilities(net, self, X, node)
   if not net.levels[node] then return p:col(1):copy() end
   local labels = { n = p.rows }
   for i = 1, p.rows do
      local best = 1
      for y = 2, p.cols do
         if p[i][y] > p[i][best] then best = y end
      end
      if p[i][best] == p[i][best] then labels[i] = net.levels[node][best] end
   end
   return core.Factor(labels)
end

local function predict_proba(net, self, X, name)
   local node = target_node(net, self, name, "predict_proba")
   if not net.levels[node] then fail("'%s' is a number; predict gives its mean", net.names[node]) end
   return rows.named(probabilities(net, self, X, node), tables.columns(net, node))
end

-- The test that two nodes are independent given others, in data.
local function test(net, _, X, a, b, given, options)
   options = require "manilius.options".check("BayesNet:independence_test", options,
      { test = "chi2, g or fisher_z" }, 0)
   local u, v = structure.node(net, "name", a), structure.node(net, "name", b)
   local by_name, _, n = learn.columns(X)
   local name = options.test or (net.levels[u] and "chi2" or "fisher_z")
   if not text.contains(learn.TESTS, name) then
      fail("test must be one of %s, got %s", table.concat(learn.TESTS, ", "), tostring(name))
   end
   local used = { u, v, table.unpack(structure.nodes(net, "given", given)) }
   local names, levels, parents = {}, {}, {}
   for i, w in ipairs(used) do
      for k = 1, i - 1 do
         if used[k] == w then fail("node '%s' is given twice", net.names[w]) end
      end
      names[i], levels[i], parents[i] = net.names[w], net.levels[w], {}
   end
   local small = structure.new(names, levels, parents)
   local list = {}
   for i = 3, #used do list[#list + 1] = i end
   local statistic, df, p = core.bayes_test(small.card, learn.rows(small, by_name, n, {}), nil, 1, 2, list,
      { test = name })
   return require "manilius.options".printable { statistic = statistic, df = df, p = p, test = name }
end

-- A fitted BayesNet of a network with tables.
local function model_of(net, self)
   local out = M.BayesNet {}
   for name in pairs(M.class.is_param) do rawset(out, name, rawget(self, name)) end
   local settings = { nodes = false, edges = false, parents = false, levels = false, cpts = false, structure = false }
   for name in pairs(settings) do rawset(out, name, nil) end
   local cpts, levels, parents = {}, {}, {}
   for v, name in ipairs(net.names) do
      cpts[name], parents[name] = tables.matrix(net, v), {}
      if net.levels[v] then levels[name] = net.levels[v] end
      for k, u in ipairs(net.parents[v]) do parents[name][k] = net.names[u] end
   end
   rawset(out, "nodes", table.move(net.names, 1, #net.names, 1, {}))
   rawset(out, "parents", parents)
   rawset(out, "levels", levels)
   rawset(out, "cpts", cpts)
   return out
end
M.model_of = model_of

-- --- printing ---

local function counts_text(net)
   local edges, parameters = 0, 0
   for v, parents in ipairs(net.parents) do
      local _, _, configs, width = tables.shape(net, v)
      edges = edges + #parents
      parameters = parameters + configs * (net.levels[v] and width - 1 or width)
   end
   return ("%s, %s, %s"):format(text.plural(#net.names, "node"), text.plural(edges, "edge"),
      text.plural(parameters, "free parameter"))
end

-- The network as in "[asia][smoke][tub|asia]", in topological order.
local function model_string(net)
   local out = {}
   for _, v in ipairs(net.order:totable()) do
      local names = {}
      for k, u in ipairs(net.parents[v]) do names[k] = net.names[u] end
      out[#out + 1] = #names > 0 and ("[%s|%s]"):format(net.names[v], table.concat(names, ":"))
         or ("[%s]"):format(net.names[v])
   end
   return table.concat(out)
end

local SHOWN_PARAMS = { "structure", "criterion", "equivalent_sample_size", "pseudo_count", "max_parents", "target" }

local function show(self)
   local ok, net = rows.try(M.network, self)
   if not ok then return text.wrap_line(estimator.one_line(self)) end
   local lines = { ("%s: %s%s"):format(WHO, counts_text(net), net.table and "" or ", without tables") }
   lines[2] = "  " .. text.wrap(model_string(net):gsub("%]%[", "] ["), 4)
   local parts = {}
   for _, name in ipairs(SHOWN_PARAMS) do
      local value = rawget(self, name)
      if value ~= nil and value ~= M.class.params[name] then
         parts[#parts + 1] = ("%s = %s"):format(name, estimator.value_text(value))
      end
   end
   if rawget(self, "fitted") then
      parts[#parts + 1] = ("log-likelihood %.6g on %.10g rows"):format(self.log_likelihood, self.n_rows)
   end
   if #parts > 0 then lines[3] = "  " .. text.wrap(table.concat(parts, ", "), 4) end
   return table.concat(lines, "\n")
end

local function one_line(self)
   local ok, net = rows.try(M.network, self)
   if ok then return ("%s { %s }"):format(WHO, counts_text(net)) end
   return ("%s { structure = %s }"):format(WHO, estimator.value_text(rawget(self, "structure")))
end

-- --- the class ---

local NONE = estimator.NONE

local function check(self)
   learn.check(self)
   structure.edges("whitelist", self.whitelist)
   structure.edges("blacklist", self.blacklist)
   if self.edges ~= nil or self.parents ~= nil or self.nodes ~= nil or self.cpts ~= nil then
      if self.nodes ~= nil and type(self.nodes) ~= "table" then
         fail("nodes must be a list of names, got %s", rows.kind(self.nodes))
      end
      if self.structure == nil then M.check_given(self) end
   end
end

-- A network from code: cycles and wrong tables are errors at once. Without tables, nodes whose levels are not given may
-- get them from data, so their kinds are not checked.
function M.check_given(self)
   if self.cpts ~= nil then
      of_settings(self)
      return
   end
   structure.from_edges(self.nodes or {}, structure.given_edges(self) or {}, function() return false end)
end

local definition = {
   name = WHO,
   ours = true,
   does = "density",
   takes = { "weights", "factors", "missing" },
   params = { nodes = NONE, edges = NONE, parents = NONE, levels = NONE, cpts = NONE, structure = NONE,
      criterion = "bic", equivalent_sample_size = NONE, pseudo_count = 0, max_parents = NONE, whitelist = NONE,
      blacklist = NONE, tabu_length = 10, max_tabu = 10, restarts = 0, perturb = 1,
      missing = "drop", alpha = 0.05, test = NONE,
      max_given = NONE, root = NONE, target = NONE, latent = NONE, n_init = 1, max_iter = 200, tol = 1e-6, seed = 0,
      memory_limit = 2 ^ 30 },
   learned = { n_features = "number of columns of X", node_names = "names of the nodes",
      node_levels = "levels of each node; false for numbers",
      node_parents = "for each node, the list of its parents, as their numbers",
      probabilities = "Vector of all tables, node after node; see cpt", log_likelihood = "log-likelihood of X",
      n_rows = "number of rows, or sum of weights", n_iter = "iterations of EM; 0 without missing values",
      converged = "true if EM converged", trace = "Vector: log-likelihood, plus log prior, after each iteration of EM",
      structure_score = "score of the learned structure", n_changes = "changes of edges in the search",
      n_evaluations = "families that the search scored", n_tests = "independence tests of PC",
      undirected = "edges that PC could not direct, as texts" },
   check = check,
   tostring = show,
   one_line = one_line,
   reports_progress = true,
   help = require "manilius.bayes_net.help",
   fit = learn.fit,
}

definition.query = of_query("query", queries.query)
definition.marginals = of_query("marginals", queries.marginals)
definition.probability = of_query("probability", queries.probability)
definition.log_evidence = of_query("log_evidence", queries.log_evidence)
definition.covariance = of_query("covariance", queries.covariance)
definition.mpe = of_query("mpe", queries.mpe)
definition.map = of_query("map", queries.map)
definition.sensitivity = of_query("sensitivity", queries.sensitivity)
definition.sample = method("sample", true, function(net, _, n, seed) return queries.sample(net, n, seed) end)
definition.intervene = method("intervene", true, function(net, self, values)
   return model_of(queries.intervene(net, values), self)
end)
definition.cost = method("cost", true, function(net, self)
   local unknown = core.Vector(#net.names) + 0 / 0
   return require "manilius.options".printable(core.bayes_cost(net, unknown, nil, self.memory_limit))
end)
definition.cpt = method("cpt", true, function(net, _, name)
   return tables.frame(net, structure.node(net, "name", name))
end)
definition.arcs = method("arcs", false, arcs)
definition.order = method("order", false, function(net) return structure.name_list(net, net.order) end)
definition.parents_of = method("parents_of", false, function(net, _, name)
   return structure.name_list(net, net.parents[structure.node(net, "name", name)])
end)
definition.children_of = method("children_of", false, function(net, _, name)
   return structure.name_list(net, structure.children(net, structure.node(net, "name", name)))
end)
definition.ancestors_of = method("ancestors_of", false, function(net, _, name)
   local node = structure.node(net, "name", name)
   local flags = core.bayes_ancestors(net, { node })
   flags[node] = 0
   return structure.flagged(net, flags)
end)
definition.blanket = method("blanket", false, function(net, _, name) return blanket(net, name) end)
definition.moral_graph = method("moral_graph", false, moral_graph)
definition.cpdag = method("cpdag", false, cpdag)
definition.d_separated = method("d_separated", false, function(net, _, a, b, given)
   return d_separated(net, a, b, given)
end)
definition.d_connected = method("d_connected", false, function(net, _, names, given)
   local flags, sources_ = d_connected(net, names, given)
   for _, v in ipairs(sources_) do flags[v] = 0 end
   return structure.flagged(net, flags)
end)
definition.model_string = method("model_string", false, model_string)
definition.structure_scores = method("structure_scores", false, function(net, self, X, options)
   return rows.frame({ "node", "score" }, { core.Factor(net.names), node_scores(net, self, X, options) })
end)
definition.independence_test = method("independence_test", false, test)
definition.score = method("score", true, function(net, self, X)
   return score_samples(net, self, X):mean()
end)
definition.write_bif = method("write_bif", true, function(net, self, path)
   require "manilius.bayes_net.bif".write(net, path)
   return self
end)
definition.bif = method("bif", true, function(net) return require "manilius.bayes_net.bif".source(net) end)
definition.dot = method("dot", false, function(net, self, given)
   return require "manilius.bayes_net.draw".dot(net, self.memory_limit, given)
end)
definition.text = method("text", false, function(net, self, given)
   return require "manilius.bayes_net.draw".text(net, self.memory_limit, given)
end)

M.BayesNet, M.class = estimator.class(definition)

-- A network from code has no fit, so these are not wrapped to require it.
M.class.methods.predict = method("predict", true, predict)
M.class.methods.predict_proba = method("predict_proba", true, predict_proba)
M.class.methods.score_samples = method("score_samples", true, score_samples)

return M
