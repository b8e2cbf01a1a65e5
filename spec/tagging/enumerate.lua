--- All tag sequences of a few tokens, from the coefficients that a tagger shows.

local M = {}

--- { states = feature -> tag -> { value }, transitions = tag -> tag -> { value },
--- transition_features = feature -> "tag tag" -> { value }, list = all { value } }
function M.coefficients(model)
   local w = { states = {}, transitions = {}, transition_features = {}, list = {} }
   local s = model:summary { n = 1000000 }
   local function add(to, frame, from_name, to_name)
      local from, tag, coef = frame[from_name]:totable(), frame[to_name]:totable(), frame.coef:totable()
      for i = 1, #from do
         local c = { value = coef[i] }
         to[from[i]] = to[from[i]] or {}
         to[from[i]][tag[i]] = c
         w.list[#w.list + 1] = c
      end
   end
   add(w.states, s.features, "feature", "tag")
   add(w.transitions, s.transitions, "from", "to")
   if not (model.template or ""):find "B%d*:%%" then return w end
   local feature, from, to = s.transition_features.feature:totable(), s.transition_features.from:totable(),
      s.transition_features.to:totable()
   for i, coef in ipairs(s.transition_features.coef:totable()) do
      local c = { value = coef }
      w.transition_features[feature[i]] = w.transition_features[feature[i]] or {}
      w.transition_features[feature[i]][from[i] .. " " .. to[i]] = c
      w.list[#w.list + 1] = c
   end
   return w
end

local function value(of, from, to)
   local c = of[from] and of[from][to]
   return c and c.value or 0
end

--- The score of tags.
function M.score(model, rows, tags, w)
   w = w or M.coefficients(model)
   local sum = 0
   for t, row in ipairs(rows) do
      for _, feature in ipairs(row) do sum = sum + value(w.states, feature, tags[t]) end
      if t > 1 then sum = sum + value(w.transitions, tags[t - 1], tags[t]) end
      for _, feature in ipairs(t > 1 and row.of_transition or {}) do
         sum = sum + value(w.transition_features, feature, tags[t - 1] .. " " .. tags[t])
      end
   end
   return sum
end

--- A list of { tags, score } of all sequences, with log_sum, the log of the sum of their exponentials.
function M.sequences(model, rows, w)
   w = w or M.coefficients(model)
   local classes, list = model.classes, {}
   local function extend(tags)
      if #tags == #rows then
         list[#list + 1] = { tags = tags, score = M.score(model, rows, tags, w) }
         return
      end
      for _, class in ipairs(classes) do
         local longer = table.move(tags, 1, #tags, 1, {})
         longer[#longer + 1] = class
         extend(longer)
      end
   end
   extend {}
   local sum = 0
   for _, s in ipairs(list) do sum = sum + math.exp(s.score) end
   list.log_sum = math.log(sum)
   return list
end

--- The best sequence that passes a test.
function M.best(all, test)
   local best
   for _, s in ipairs(all) do
      if (not test or test(s.tags)) and (not best or s.score > best.score) then best = s end
   end
   return best
end

--- Marginals: rows by token, a value for each class.
function M.marginals(model, rows, all)
   local p = {}
   for t = 1, #rows do
      p[t] = {}
      for k, class in ipairs(model.classes) do
         p[t][k] = 0
         for _, s in ipairs(all) do
            if s.tags[t] == class then p[t][k] = p[t][k] + math.exp(s.score - all.log_sum) end
         end
      end
   end
   return p
end

return M
