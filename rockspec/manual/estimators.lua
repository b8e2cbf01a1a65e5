--- The pages of estimators and of their families, generated from the class tables, with the outputs of the examples.
-- @module manual.estimators

local core = require "manilius.core"
local documents = require "manual.documents"
local formula = require "manual.formula"
local help = require "manilius.help"
local html = require "manual.html"
local topics = require "manilius.help.topics"

local M = {}

local titles = {
   bayes = "Naive Bayes", cluster = "Clustering", covariance = "Covariance", decomposition = "Decomposition",
   ensemble = "Ensembles", ["gaussian process"] = "Gaussian processes", kernel = "Kernel methods",
   latent = "Latent variable models", linear = "Linear models", manifold = "Manifolds", mixture = "Mixtures",
   neighbors = "Nearest neighbors", preprocess = "Preprocessing", probability = "Probability calibration",
   resample = "Resampling", ["semi-supervised"] = "Semi-supervised learning", sequence = "Sequences",
   svm = "Support vector machines", tagging = "Taggers", text = "Text", tree = "Trees",
}

--- The title of a family.
function M.title(family)
   return titles[family] or family:sub(1, 1):upper() .. family:sub(2):gsub("_", " ")
end

--- The page of a family. Pages of the guide and of modules have the names of some families.
function M.family_file(family)
   return "estimators-" .. html.slug(family) .. ".html"
end

--- The page of an estimator.
function M.file(name)
   return name .. ".html"
end

--- The families in alphabetical order of their titles, each { family =, title =, names = }.
function M.families()
   local names, of = core.class_names()
   local list, by_family = {}, {}
   for i, name in ipairs(names) do
      local family = of[i]
      if not by_family[family] then
         by_family[family] = { family = family, title = M.title(family), names = {} }
         list[#list + 1] = by_family[family]
      end
      table.insert(by_family[family].names, name)
   end
   table.sort(list, function(a, b) return a.title < b.title end)
   return list
end

local does_words = {
   { "regress", "regression" }, { "rank", "ranking" }, { "classify", "classification" }, { "cluster", "clustering" },
   { "transform", "transformer" }, { "outliers", "outlier detection" }, { "density", "density" },
   { "unit_free", "any units of X" },
}
local actions = { "partial_fit", "predict", "predict_proba", "decision_function", "transform", "inverse_transform",
   "score_samples", "sample" }

local function tags(class)
   local out = {}
   local function add(set, words, before)
      for _, word in ipairs(words) do
         if set[word[1]] then out[#out + 1] = "<span>" .. html.escape(before .. word[2]) .. "</span>" end
      end
   end
   local inputs = topics.inputs_of(class.takes)
   add(class.does, does_words, "")
   add(inputs, topics.takes_words, "")
   add(inputs, topics.required_words, "requires ")
   return #out > 0 and '<p class="tags">' .. table.concat(out) .. "</p>" or ""
end

-- The parameters with class_weight, which the entry points handle for all classifiers.
local function params_of(class)
   local list = table.move(class.params, 1, #class.params, 1, {})
   if class.takes.class_weight then list[#list + 1] = topics.class_weight end
   return list
end

-- ml.Ridge { alpha = 1, fit_intercept = true }; long ones have one parameter per line.
local function synopsis(class)
   local parts = {}
   for i, p in ipairs(params_of(class)) do parts[i] = p.name .. " = " .. help.default_text(p) end
   local flat = ("ml.%s {%s}"):format(class.name, #parts > 0 and " " .. table.concat(parts, ", ") .. " " or "")
   if #flat <= 44 then return html.lua(flat) end
   return html.lua(("ml.%s {\n   %s,\n}"):format(class.name, table.concat(parts, ",\n   ")))
end

local function sentence(text)
   return html.text(text) .. (text:find "[.!?]$" and "" or ".")
end

local function range_text(p)
   local text = html.escape(p.wanted)
   if p.choices and p.kind ~= "strings" then
      local names = {}
      for i, choice in ipairs(p.choices) do names[i] = html.code('"' .. choice .. '"') end
      text = table.concat(names, " or ")
   end
   return text
end

local function parameters(class_name, params)
   local items = {}
   for i, p in ipairs(params) do
      items[i] = { id = class_name .. "." .. p.name, name = p.name, text = html.text(p.brief),
         type = ("%s, default %s"):format(range_text(p), html.code(help.default_text(p))) }
   end
   return html.items(items)
end

local function fields(class)
   local items = {}
   for i, f in ipairs(class.fields) do
      local shape = (f.shape or ""):gsub("[?]", ""):gsub("%s*<.*", ""):gsub(" x ", " × ")
      items[i] = { id = class.name .. "." .. f.name, name = f.name, text = html.text(f.brief),
         type = html.escape(f.kind .. (shape ~= "" and ", " .. shape or "")) }
   end
   return html.items(items)
end

local function operations(class)
   local out = {}
   for _, o in ipairs(class.operations) do
      local args = {}
      if o.takes_rows then args[1] = "[X, y]" end
      if o.needs_x then args[#args + 1] = "X" end
      if o.needs_y then args[#args + 1] = "y" end
      if #o.options > 0 then args[#args + 1] = o.modifies and o.options[1].name or "options" end
      out[#out + 1] = html.items { { id = class.name .. ":" .. o.name,
         name = ("model:%s(%s)"):format(o.name, table.concat(args, ", ")),
         text = sentence(o.brief) .. " Returns: " .. sentence(o.returns) } }
      if #o.options > 0 then
         out[#out + 1] = '<div class="soft">Options of ' .. html.code(o.name) .. ":</div>"
            .. parameters(class.name .. ":" .. o.name, o.options)
      end
   end
   return table.concat(out, "\n")
end

local function methods(class)
   local out = { html.code "fit" }
   for _, action in ipairs(actions) do
      if class.can[action] then out[#out + 1] = html.code(action) end
   end
   return "<p>" .. table.concat(out, ", ") .. ', and the <a href="composition.html#every-estimator">methods of '
      .. "every estimator</a>.</p>"
end

-- The names in a formula that are names of the class: parameters, their choices, and learned fields.
local function names_of(class)
   local set = {}
   for _, p in ipairs(class.params) do
      set[p.name] = true
      for _, choice in ipairs(p.choices or {}) do set[choice] = true end
   end
   for _, f in ipairs(class.fields) do set[f.name] = true end
   return set
end

local function estimator(name)
   local class = core.describe(name)
   local out = { ('<h1 id="%s">%s</h1>'):format(name, html.escape(name)),
      '<p class="lead">' .. html.text(class.brief) .. "</p>",
      tags(class), synopsis(class) }
   local function add(title, body)
      if body and body ~= "" then out[#out + 1] = "<h4>" .. title .. "</h4>\n" .. body end
   end
   add("Objective", class.objective and formula.html(class.objective, names_of(class)))
   add("Parameters", parameters(name, params_of(class)))
   add("Learned by fit", fields(class))
   add("Methods", methods(class))
   add("Operations", operations(class))
   add("Notes", class.notes and "<p>" .. html.text(class.notes) .. "</p>")
   local printed = documents.printed(class.example, "=" .. name .. ".example", { ml = require "manilius" })
   add("Example", html.lua(class.example) .. html.output(printed))
   add("Source", "<p>" .. html.escape(class.source) .. "</p>")
   return table.concat(out, "\n"), class
end

local function entries_of(class)
   local list = { { name = "ml." .. class.name, anchor = class.name, text = class.brief } }
   for _, p in ipairs(params_of(class)) do
      list[#list + 1] = { name = class.name .. "." .. p.name, anchor = class.name .. "." .. p.name, text = p.brief }
   end
   for _, f in ipairs(class.fields) do
      list[#list + 1] = { name = class.name .. "." .. f.name, anchor = class.name .. "." .. f.name, text = f.brief }
   end
   for _, o in ipairs(class.operations) do
      list[#list + 1] = { name = class.name .. ":" .. o.name, anchor = class.name .. ":" .. o.name, text = o.brief,
         keywords = o.returns }
   end
   return list
end

--- Add a page for each family, followed by those of its estimators.
function M.add(site, section)
   for _, family in ipairs(M.families()) do
      local links, pages = {}, {}
      for i, name in ipairs(family.names) do
         local body, class = estimator(name)
         links[i] = { id = name, href = M.file(name), name = name, text = class.brief }
         pages[i] = { file = M.file(name), section = section, title = name, brief = class.brief,
            entries = entries_of(class), body = body }
      end
      local parent = site:add { file = M.family_file(family.family), section = section, title = family.title,
         brief = table.concat(family.names, ", ") .. ".", names = links,
         body = "<h1>" .. html.escape(family.title) .. "</h1>\n" .. html.list(links) }
      for _, page in ipairs(pages) do
         page.parent = parent
         site:add(page)
      end
   end
end

return M
