--- Tables of the parameters of a model and its steps; values that differ from the default are marked.

local estimator = require "manilius.estimator"
local html = require "manilius.report.html"
local rows = require "manilius.rows"

local M = {}

local MAX_LENGTH = 160

local function value_text(value)
   if value == nil then return "not set" end
   local text = estimator.value_text(value)
   if #text <= MAX_LENGTH then return text end
   return text:sub(1, utf8.len(text) and utf8.offset(text, -1, MAX_LENGTH) - 1 or MAX_LENGTH) .. " ..."
end

local function same(a, b)
   return a == b or (a ~= a and b ~= b)
end

-- --- tables ---

local function line(name, value, default, brief, is_default)
   local shown = html.code { value_text(value) }
   return { html.code { name }, is_default and shown or html.strong { shown, " *" },
      html.code { value_text(default) }, brief or "", class = not is_default and "changed" or nil }
end

local function table_of(lines)
   if #lines == 0 then return html.p { class = "note", "No parameters." } end
   local explained = false
   for _, one in ipairs(lines) do explained = explained or one[4] ~= "" end
   if not explained then
      for _, one in ipairs(lines) do one[4] = nil end
   end
   return html.data_table { head = { "parameter", "value", "default", explained and "meaning" or nil }, rows = lines,
      align = "llll", class = "settings", stack = true }
end

local function of_core(model)
   local params, lines, described = estimator.get_params(model), {}, estimator.describe(model)
   for _, p in ipairs(described.params) do
      local value = params[p.name]
      lines[#lines + 1] = line(p.name, value, p.default, p.brief, same(value, p.default))
   end
   if described.takes.class_weight then
      local value = params.class_weight
      lines[#lines + 1] = line("class_weight", value, nil, "weight of each class", value == nil)
   end
   return table_of(lines)
end

local PARTS = { names = true, models = true, columns = true }

local function of_class(model, class)
   local lines, composite = {}, type(rawget(model, "models")) == "table" and type(rawget(model, "names")) == "table"
   for _, name in ipairs(class.param_names) do
      if not (composite and PARTS[name]) then
         local value, default = rawget(model, name), class.params[name]
         if default == estimator.NONE then default = nil end
         lines[#lines + 1] = line(name, value, default, nil, same(value, default))
      end
   end
   if composite and #lines == 0 then return false end
   return table_of(lines)
end

local function of_plain(model)
   local params, names, lines = estimator.get_params(model), {}, {}
   for name in pairs(params) do names[#names + 1] = name end
   table.sort(names)
   for i, name in ipairs(names) do lines[i] = { html.code { name }, html.code { value_text(params[name]) }, "", "" } end
   return table_of(lines)
end

-- --- the tree ---

local function learned_sentence(model)
   if rows.kind(model) ~= "Model" or not model.fitted then return false end
   local parts = { ("%d features"):format(model.n_features) }
   local classes = estimator.learned(model, "classes")
   if type(classes) == "table" then parts[#parts + 1] = ("%d classes"):format(#classes) end
   if estimator.describe(model).does.iterate then parts[#parts + 1] = estimator.iteration_text(model) end
   return html.p { class = "note", "Fitted: ", table.concat(parts, ", "), "." }
end

local function columns_text(columns)
   if type(columns) == "table" then
      local out = {}
      for i, one in ipairs(columns) do out[i] = tostring(one) end
      return table.concat(out, ", ")
   end
   return type(columns) == "function" and "selected by a function" or tostring(columns)
end

local function brief_of(model)
   if rows.kind(model) ~= "Model" then return false end
   return html.p { estimator.describe(model).brief }
end

-- A step: its name, its class, its parameters, and its inner steps.
function M.tree(model, name, columns, depth)
   depth = depth or 3
   local heading = html["h" .. math.min(depth, 6)]
   local title = { name and html.span { class = "step", name, ": " } or false,
      type(model) == "string" and model or estimator.name(model) }
   local out = { heading(title),
      columns and html.p { class = "note", "Columns: ", columns_text(columns), "." } or false }
   if type(model) == "string" then return html.div { class = "tree", out } end
   local class = estimator.class_of(model)
   out[#out + 1] = brief_of(model)
   if rows.kind(model) == "Model" then
      out[#out + 1] = of_core(model)
   elseif class then
      out[#out + 1] = of_class(model, class)
   else
      out[#out + 1] = of_plain(model)
   end
   out[#out + 1] = learned_sentence(model)
   local parts = class and rawget(model, "models")
   for i, part in ipairs(parts or {}) do
      out[#out + 1] = M.tree(part, model.names[i], class.params.columns and model.columns[i] or nil, depth + 1)
   end
   local best = class and rawget(model, "best")
   if best ~= nil and estimator.is(best) then out[#out + 1] = M.tree(best, "best model", nil, depth + 1) end
   return html.div { class = "tree", out }
end

--- The section on the model.
function M.section(model)
   return { html.p { class = "note", "Values in bold with an asterisk differ from the default." },
      M.tree(model) }
end

return M
