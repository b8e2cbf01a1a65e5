--- The names that can follow a value: fields, methods, columns; and parameters of constructors and functions.

local core = require "manilius.core"
local names = require "manilius.help.names"
local rows = require "manilius.rows"
local topics = require "manilius.help.topics"

local M = {}

-- --- members of values ---

-- In the functions below `out` maps each name to true if it is a method or function, else to false.

local function add_table(out, value)
   for key, one in next, value do
      if type(key) == "string" and key:find "^%a[%w_]*$" then out[key] = type(one) == "function" end
   end
end

local function add_topic(out, topic)
   for _, kind in ipairs { "params", "fields" } do
      for _, one in ipairs(topic[kind] or {}) do out[one.name] = false end
   end
   for _, kind in ipairs { "learned", "properties" } do
      for name in pairs(topic[kind] or {}) do out[name] = false end
   end
   for name in pairs(topic.methods or {}) do out[name] = true end
end

local function add_module(out)
   for name in next, require "manilius" do out[name] = true end
   for name in pairs(names.homes) do out[name] = not names.modules[name] end
end

local function add_frame(out, frame)
   for name in pairs(require "manilius.frame".methods()) do out[name] = true end
   for _, name in ipairs { "rows", "cols", "names", "columns" } do out[name] = false end
   for _, name in ipairs(frame.names) do out[name] = false end
end

-- Also the fields that the metatables of the value provide.
local function add_any_table(out, value)
   local level, seen = value, {}
   while type(level) == "table" and not seen[level] do
      seen[level] = true
      add_table(out, level)
      local meta = getmetatable(level)
      if type(meta) == "table" and rawget(meta, "__pairs") then
         for key, one in pairs(level) do
            if type(key) == "string" then out[key] = type(one) == "function" end
         end
      end
      level = type(meta) == "table" and rawget(meta, "__index") or nil
   end
   local name = topics.name_of(value)
   local topic = name and topics.named(name)
   if topic and topic.kind == "class" then add_topic(out, topic) end
end

local function add_members(out, value)
   local kind = rows.kind(value)
   if value == require "manilius" then
      add_module(out)
   elseif kind == "Frame" then
      add_frame(out, value)
   elseif kind == "Model" then
      local topic = topics.named(topics.name_of(value) or "")
      local usable = topic and topic.methods
      for name, one in pairs(value) do
         if type(one) ~= "function" or not usable or usable[name] then out[name] = type(one) == "function" end
      end
   elseif type(value) == "string" then
      add_table(out, string)
   elseif kind == "Kernel" then
      for name, is_method in pairs(require "manilius.kernel.value".members_of(value)) do out[name] = is_method end
   elseif type(value) == "userdata" then
      for name, what in pairs(core.member_names(kind) or {}) do out[name] = what == "method" end
   elseif type(value) == "table" then
      local meta = getmetatable(value)
      if type(meta) == "table" and meta.__name == "Figure" then
         add_table(out, require "manilius.draw.figure".methods)
      end
      add_any_table(out, value)
   end
end

--- The members of a value, sorted; `only_functions`: after a colon.
-- what: { value = v }, or { class = name } for the result of a call that has not been made
function M.members(what, only_functions)
   local out, list = {}, {}
   if what.class then
      local topic = topics.named(what.class)
      if topic then add_topic(out, topic) end
   else
      pcall(add_members, out, what.value)
   end
   for name, is_function in pairs(out) do
      if is_function or not only_functions then list[#list + 1] = name end
   end
   table.sort(list)
   return list
end

-- --- classes of results ---

local RETURN_SELF = { fit = true, partial_fit = true, set_params = true, clone = true }

--- The name of the class that calling a function or constructor returns, or nil if it is not known.
function M.class_of_result(func)
   local name = func ~= nil and topics.name_of(func)
   local topic = name and topics.find(name)
   if not topic then return nil end
   if topic.kind == "estimator" or topic.kind == "class" then return name end
   return (name:find "^read_[ct]sv$" or name == "parse_csv") and "Frame" or nil
end

--- The class of an object; nil if it has no topic.
function M.class_of(what)
   return what.class or what.value ~= nil and topics.name_of(what.value) or nil
end

--- The class of the result of a method, or nil.
function M.class_of_method_result(what, method)
   return RETURN_SELF[method] and M.class_of(what) or nil
end

-- --- parameters ---

local FIT_OPTIONS = { "eval", "groups", "init_score", "lengths", "on_iter", "target", "weights" }
local FITS = { fit = true, partial_fit = true, fit_async = true, fit_transform = true, fit_predict = true }

local function parameter_names(topic)
   local list = {}
   for _, p in ipairs(topic.params or {}) do list[#list + 1] = p.name end
   for option in pairs(type(topic.options) == "table" and topic.options or {}) do list[#list + 1] = option end
   table.sort(list)
   return list
end

--- The topic of a function value or of a method of an object, or nil.
-- owner: { value = function } or { object = what, method = name }
function M.topic_of(owner)
   local name
   if owner.method then
      local class = M.class_of(owner.object)
      if class and owner.method == "set_params" then return topics.named(class) end
      name = class and class .. "." .. owner.method
   else
      name = owner.value ~= nil and topics.name_of(owner.value)
   end
   local ok, topic = pcall(topics.find, name or "")
   return name and ok and topic or nil
end

--- Names of parameters and options that a table in a call of `owner` may contain.
function M.parameters(owner)
   if owner.method and FITS[owner.method] then return FIT_OPTIONS end
   local topic = M.topic_of(owner)
   return topic and parameter_names(topic) or {}
end

--- The choices of a parameter, or an empty list.
function M.choices(owner, parameter)
   local topic = M.topic_of(owner)
   for _, p in ipairs(topic and topic.params or {}) do
      if p.name == parameter then return p.choices or {} end
   end
   return {}
end

--- The names of the columns of a Frame; an empty list for other values.
function M.columns(value)
   return rows.kind(value) == "Frame" and value.names or {}
end

--- Names for help: everything public, and the members of one name.
function M.topics(head)
   if not head then return topics.all_names() end
   local topic = topics.named(head)
   return topic and topics.members(topic) or {}
end

return M
