--- fit of a BayesNet: nodes and rows from data, the structure, the tables.

local base = require "manilius.ensemble.base"
local core = require "manilius.core"
local parts = require "manilius.ensemble.parts"
local rows = require "manilius.rows"
local structure = require "manilius.bayes_net.structure"
local tables = require "manilius.bayes_net.tables"
local text = require "manilius.text"

local M = {}

local fail = structure.fail

M.STRUCTURES = { "hill_climbing", "tabu", "pc", "chow_liu", "tan", "naive_bayes", "empty" }
M.CRITERIA = { "loglik", "aic", "bic", "bdeu", "k2", "bge" }
M.TESTS = { "chi2", "g", "fisher_z" }

-- --- data ---

local function is_factor(column) return rows.kind(column) == "Factor" end

--- The columns of X by name: a Frame, or a Matrix or table of rows of numbers, whose columns are x1, x2, ...
function M.columns(X)
   X = rows.x("BayesNet", X)
   if rows.kind(X) == "Factor" then fail("X must be a Frame, got a Factor; make ml.Frame { { name, column } }") end
   local columns, names = rows.split_columns("BayesNet", X)
   local by_name = {}
   for j, name in ipairs(names) do
      local column = columns[j]
      if rows.kind(column) == "Vector" and not rows.is_frame(X) then column = column:copy() end
      by_name[name] = column
   end
   return by_name, names, rows.count(X)
end

-- Labels of a column that occur; a column of numbers has the distinct ones.
local function levels_of_column(name, column)
   if not is_factor(column) then return false end
   local levels = column.levels
   if #levels == 0 then fail("column '%s' has no labels", name) end
   return table.move(levels, 1, #levels, 1, {})
end

-- The codes of a column of numbers that stand for labels, nan for missing.
local function codes_of_numbers(net, node, column)
   local out = core.Vector(#column)
   for i = 1, #column do
      local value = column[i]
      out[i] = value ~= value and value or structure.code(net, node, value, ("X, row %d"):format(i))
   end
   return out
end

-- A Vector that maps the codes of a Factor to those of a node.
local function map_of_factor(net, node, column)
   local levels, out = column.levels, core.Vector(#column.levels)
   local used
   for i, label in ipairs(levels) do
      local ok, code = pcall(structure.code, net, node, label, "X")
      if not ok then
         used = used or column:codes()
         if used:eq(i):any() then error(code, 0) end
         code = 0
      end
      out[i] = code
   end
   return out
end

--- The rows of X as values of the nodes; nodes without a column are nan if `latent` has their names, or all of them if
-- it is true.
function M.rows(net, by_name, n, latent)
   local columns, maps = {}, {}
   for v, name in ipairs(net.names) do
      local column = by_name[name]
      columns[v], maps[v] = false, false
      if column == nil then
         if latent ~= true and not latent[name] then
            fail("X must have the column '%s', which is a node%s", name,
               text.near(name, text.sorted_keys(by_name)))
         end
      elseif net.levels[v] then
         if is_factor(column) then
            columns[v], maps[v] = column, map_of_factor(net, v, column)
         else
            columns[v] = codes_of_numbers(net, v, column)
         end
      elseif is_factor(column) then
         fail("column '%s' has labels, but the node is a number", name)
      else
         columns[v] = column
      end
   end
   return core.bayes_rows(n, columns, maps)
end

-- --- nodes ---

local function latent_names(self)
   local out = {}
   local list = self.latent
   if type(list) == "string" then list = { list } end
   if list ~= nil and type(list) ~= "table" then fail("latent must be a list of names, got %s", rows.kind(list)) end
   for _, name in ipairs(list or {}) do out[name] = true end
   return out
end

-- Levels of a node: as the settings say, else as its column has them.
local function levels_finder(self, by_name, latent)
   return function(name)
      local given = structure.given_levels(self, name)
      local column = by_name[name]
      if column == nil then
         if not latent[name] then
            fail("X must have the column '%s', which is a node%s; or list it in latent", name,
               text.near(name, text.sorted_keys(by_name)))
         end
         return given or false
      end
      -- a list of levels for all nodes does not make numbers of a column labels
      if given and self.levels[1] ~= nil and not is_factor(column) then return false end
      return given or levels_of_column(name, column)
   end
end

local function node_list(self)
   local list = self.nodes
   if list == nil then return {} end
   if type(list) ~= "table" then fail("nodes must be a list of names, got %s", rows.kind(list)) end
   return list
end

-- --- structures ---

-- A Matrix of 1 for edges u -> v.
local function edge_matrix(net, edges, value, out)
   for _, edge in ipairs(edges) do
      out:set(structure.node(net, "edges", edge[1]), structure.node(net, "edges", edge[2]), value)
   end
   return out
end

-- Which edges may and must be there.
local function constraints(self, net)
   local n = #net.names
   local allowed = core.ones(n, n)
   local required = edge_matrix(net, structure.edges("whitelist", self.whitelist), 1, core.zeros(n, n))
   edge_matrix(net, structure.edges("blacklist", self.blacklist), 0, allowed)
   for u = 1, n do
      for v = 1, n do
         if u == v or net.levels[v] and not net.levels[u] then allowed:set(u, v, 0) end
         if required[u][v] == 1 then
            if net.levels[v] and not net.levels[u] then
               fail("whitelist: '%s' has labels, so its parent '%s' must not be a number", net.names[v],
                  net.names[u])
            end
            allowed:set(u, v, 1)
            allowed:set(v, u, 0)
         end
      end
   end
   return allowed, required
end

local function parents_of_matrix(edge)
   local parents = {}
   for v = 1, edge.cols do
      parents[v] = {}
      for u = 1, edge.rows do
         if edge[u][v] == 1 then table.insert(parents[v], u) end
      end
   end
   return parents
end

local function warn_incomplete(count)
   if count > 0 then
      rows.warn(("BayesNet: %s with missing values left out to learn the structure; "
         .. "missing = \"em\" uses them in hill_climbing and tabu"):format(text.plural(count, "row")))
   end
end

-- core.bayes_search, whose errors have the names of nodes.
local function search_core(net, ...)
   local ok, edges, score, how = pcall(core.bayes_search, ...)
   if ok then return edges, score, how end
   if type(edges) == "string" and edges:find "^BayesNet: " then edges = structure.with_names(net, edges) end
   error(edges, 0)
end

-- A function that searches the best edges for the rows of a Matrix, beginning at `start`.
local function searcher(self, net, allowed, required, options)
   local tabu = self.structure == "tabu"
   return function(values, weights, start)
      return search_core(net, net.card, values, weights, allowed, required, start, {
         criterion = self.criterion, ess = self.equivalent_sample_size or 1, max_parents = self.max_parents,
         tabu = tabu and self.tabu_length or 0, max_tabu = self.max_tabu, restarts = tabu and 0 or self.restarts,
         perturb = self.perturb, seed = self.seed, on_iter = options.on_iter, max_iter = 100000 })
   end
end

local function fit_options(self, from_table, on_iter)
   return { start = from_table and 1 or 0, ess = self.equivalent_sample_size or 0, pseudo = self.pseudo_count,
      starts = self.n_init, max_iter = self.max_iter, tol = self.tol, seed = self.seed, limit = self.memory_limit,
      on_iter = on_iter }
end

-- Is there a row that lacks no value and has weight?
local function has_complete_row(data)
   local complete = data.rows:isnan():sum("rows"):eq(0)
   return (data.weights and complete:mul(data.weights) or complete):any()
end

local MAX_ROUNDS = 50

-- Structural EM: the tables of the present edges, the rows completed by their probabilities, the best edges for these,
-- and so on until the edges no longer change. It begins with those of the complete rows.
local function structural_em(self, net, data, start, best_edges)
   local edges = has_complete_row(data) and best_edges(data.rows, data.weights, start) or start
   local score, how = nil, { n_iter = 0, evaluations = 0 }
   for _ = 1, MAX_ROUNDS do
      local now = structure.new(net.names, net.levels, parents_of_matrix(edges))
      tables.places(now)
      now.table = core.bayes_fit(now, data.rows, data.weights, fit_options(self))
      local ok, completed, weights = pcall(core.bayes_complete, now, data.rows, data.weights, self.memory_limit)
      if not ok then
         error(type(completed) == "string" and structure.with_names(net, completed) or completed, 0)
      end
      local found, value, count = best_edges(completed, weights, edges)
      score, how.n_iter, how.evaluations = value, how.n_iter + count.n_iter, how.evaluations + count.evaluations
      if (found - edges):norm() == 0 then return edges, score, how end
      edges = found
   end
   rows.warn(("BayesNet: structural EM still changes edges after %d rounds"):format(MAX_ROUNDS))
   return edges, score, how
end

local function search(self, net, data, options)
   local allowed, required = constraints(self, net)
   local start = structure.given_edges(self)
   start = start and edge_matrix(net, start, 1, required:copy()) or required
   structure.new(net.names, net.levels, parents_of_matrix(start)) -- refuses cycles
   local best_edges = searcher(self, net, allowed, required, options)
   local edges, score, how
   if self.missing == "em" then
      edges, score, how = structural_em(self, net, data, start, best_edges)
   else
      edges, score, how = best_edges(data.rows, data.weights, start)
      warn_incomplete(how.incomplete)
   end
   self.structure_score, self.n_changes = score, math.tointeger(how.n_iter)
   self.n_evaluations = math.tointeger(how.evaluations)
   return parents_of_matrix(edges)
end

local function pc(self, net, data, options)
   local allowed, required = constraints(self, net)
   local numbers = 0
   for v in ipairs(net.names) do numbers = numbers + (net.levels[v] and 0 or 1) end
   local test = self.test or (numbers > 0 and "fisher_z" or "chi2")
   if numbers > 0 and numbers < #net.names then
      fail("structure = \"pc\" needs nodes that all have labels or all are numbers; cut numbers into bins, or use %s",
         "hill_climbing")
   end
   local edges, tests, incomplete = core.bayes_pc(net.card, data.rows, data.weights, allowed, required, {
      test = test, alpha = self.alpha, max_given = self.max_given, on_iter = options.on_iter })
   warn_incomplete(incomplete)
   self.n_tests = tests
   local undirected = {}
   for u = 1, #net.names do
      for v = u + 1, #net.names do
         if edges[u][v] == 1 and edges[v][u] == 1 then
            undirected[#undirected + 1] = ("%s -- %s"):format(net.names[u], net.names[v])
         end
      end
   end
   self.undirected = setmetatable(undirected, core.list_meta)
   local dag, consistent = core.bayes_extend(edges)
   if not consistent then
      rows.warn "BayesNet: the tests of PC contradict each other; some directions were chosen by the order of the nodes"
   end
   return parents_of_matrix(dag)
end

local function target_of(self, net, what)
   if self.target == nil then fail("%s needs target, the name of the class", what) end
   local node = structure.node(net, "target", self.target)
   if not net.levels[node] then fail("target must have labels, but '%s' is a number", self.target) end
   return node
end

local function tree(self, net, data)
   local given = self.structure == "tan" and target_of(self, net, 'structure = "tan"') or nil
   local root = self.root and structure.node(net, "root", self.root)
   for v in ipairs(net.names) do
      if not root and v ~= given then root = v end
      if given and not net.levels[v] then
         fail("structure = \"tan\" needs labels, but '%s' is a number; cut it into bins", net.names[v])
      end
   end
   if root == nil or root == given then fail "root must be a node other than target" end
   local parent = core.bayes_tree(net.card, data.rows, data.weights, root, given)
   local parents = {}
   for v in ipairs(net.names) do
      parents[v] = {}
      if given and v ~= given then table.insert(parents[v], given) end
      if parent[v] > 0 then table.insert(parents[v], math.tointeger(parent[v])) end
   end
   return parents
end

local function naive_bayes(self, net)
   local target, parents = target_of(self, net, 'structure = "naive_bayes"'), {}
   for v in ipairs(net.names) do parents[v] = v ~= target and { target } or {} end
   return parents
end

local LEARN = { hill_climbing = search, tabu = search, pc = pc, chow_liu = tree, tan = tree,
   naive_bayes = naive_bayes, empty = function(_, net)
      local parents = {}
      for v in ipairs(net.names) do parents[v] = {} end
      return parents
   end }

-- --- fit ---

local FIT_OPTIONS = { weights = true, on_iter = true }

local function read_fit_options(self, options, n)
   options = options or {}
   for name in pairs(options) do
      if not FIT_OPTIONS[name] then
         local near = text.near(tostring(name), { "on_iter", "weights" })
         fail("fit has no option '%s'%s", tostring(name), require "manilius.estimator".setting_text(self, name)
            or near ~= "" and near or "; there are on_iter, weights")
      end
   end
   local weights = options.weights
   return options, weights ~= nil and parts.check_weights("BayesNet", weights, n) or nil
end

-- The structure that is given or learned.
local function structure_of(self, by_name, names, n, weights, options)
   local latent = latent_names(self)
   local find = levels_finder(self, by_name, latent)
   local edges, list = structure.given_edges(self), node_list(self)
   if self.structure == nil then
      if edges == nil and #list == 0 then
         fail("edges, parents or structure must be given; structure = \"hill_climbing\" learns the edges from X")
      end
      local net = structure.from_edges(list, edges or {}, find)
      return net, M.rows(net, by_name, n, latent)
   end
   local all = #list > 0 and list or names
   local levels, index = {}, {}
   for i, name in ipairs(all) do levels[i], index[name] = find(name), i end
   local empty = {}
   for i in ipairs(all) do empty[i] = {} end
   local net = structure.new(table.move(all, 1, #all, 1, {}), levels, empty)
   for name in pairs(latent) do
      if index[name] then fail("latent: '%s' has no edges to learn; give edges instead of structure", name) end
   end
   local data = { rows = M.rows(net, by_name, n, latent), weights = weights }
   local parents = LEARN[self.structure](self, net, data, options)
   return structure.new(net.names, net.levels, parents), data.rows
end

-- The tables to start EM from: those of the settings, if they fit.
local function starting_tables(self, net)
   if self.cpts == nil or self.structure ~= nil then return nil end
   return (tables.read(net, self.cpts))
end

local function report(self, how)
   self.log_likelihood = how.log_likelihood
   self.n_iter, self.converged = math.tointeger(how.n_iter), how.converged
   if not how.converged then
      rows.warn(("BayesNet: not converged after %s; increase max_iter or tol"):format(
         text.plural(self.n_iter, "iteration")))
   end
end

function M.fit(self, X, y, options)
   if y ~= nil then fail "fit takes no y: the columns of X are the nodes; put y into X as a column" end
   local by_name, names, n = M.columns(X)
   local checked, weights = read_fit_options(self, options, n)
   if n == 0 then fail "X must have at least 1 row" end
   local net, data = structure_of(self, by_name, names, n, weights, checked)
   tables.places(net)
   net.table = starting_tables(self, net)
   local table_, trace, how = core.bayes_fit(net, data, weights, fit_options(self, net.table, checked.on_iter))
   net.table = table_
   self.node_names = setmetatable(net.names, core.list_meta)
   self.node_levels, self.node_parents, self.probabilities = net.levels, net.parents, table_
   self.trace = -trace
   self.n_rows = weights and weights:sum() or n
   self.n_features = #names
   report(self, how)
   return self
end

-- --- settings ---

local function check_choice(self, name, choices, optional)
   local value = rawget(self, name)
   if optional and value == nil then return end
   if not text.contains(choices, value) then
      fail("%s must be one of %s, got %s", name, table.concat(choices, ", "),
         require "manilius.estimator".value_text(value))
   end
end

local function check_number(self, name, low, high, optional)
   local value = rawget(self, name)
   if optional and value == nil then return end
   if type(value) ~= "number" or not (value >= low and value <= high) then
      fail("%s must be a number from %.10g to %.10g, got %s", name, low, high,
         require "manilius.estimator".value_text(value))
   end
end

local WHOLE = { tabu_length = 1, max_tabu = 1, restarts = 0, perturb = 1, n_init = 1, max_iter = 1, seed = 0 }
local WHOLE_OR_NIL = { max_parents = 0, max_given = 0 }

--- Raise an error for invalid settings of an estimator.
function M.check(self)
   check_choice(self, "structure", M.STRUCTURES, true)
   check_choice(self, "criterion", M.CRITERIA)
   check_choice(self, "missing", { "drop", "em" }, true) -- nil in archives of earlier versions
   if self.missing == "em" and self.structure ~= "hill_climbing" and self.structure ~= "tabu" then
      fail('missing = "em" is for structure = "hill_climbing" or "tabu"; tables of given edges are always fitted by EM')
   end
   check_choice(self, "test", M.TESTS, true)
   check_number(self, "equivalent_sample_size", 1e-6, 1e9, true)
   check_number(self, "pseudo_count", 0, 1e9)
   check_number(self, "alpha", 0, 1)
   check_number(self, "tol", 0, math.huge)
   check_number(self, "memory_limit", 1, math.huge)
   for name, low in pairs(WHOLE) do base.check_whole(self, name, low) end
   for name, low in pairs(WHOLE_OR_NIL) do
      if rawget(self, name) ~= nil then base.check_whole(self, name, low) end
   end
   for _, name in ipairs { "target", "root" } do
      local value = rawget(self, name)
      if value ~= nil and type(value) ~= "string" then
         fail("%s must be the name of a node, got %s", name, rows.kind(value))
      end
   end
end

return M
