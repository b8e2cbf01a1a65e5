--- The sections of a report.

local data = require "manilius.report.data"
local estimator = require "manilius.estimator"
local html = require "manilius.report.html"
local page = require "manilius.report.page"
local pictures = require "manilius.report.pictures"
local result = require "manilius.select.importance_table"
local rows = require "manilius.rows"

local M = {}

local number = data.number

-- --- scores ---

local function scores_table(evidence)
   local with_sd = evidence.kind ~= "fit"
   local head = with_sd and { "score", "value", "95% interval", evidence.kind == "folds" and "sd over folds" or "sd",
      "better", "meaning" } or { "score", "value", "better", "meaning" }
   local list = {}
   for i, score in ipairs(evidence.scores) do
      local better = score.greater and "higher" or "lower"
      local meaning = html.div { class = "meaning", score.failed or score.brief }
      local value, interval = data.score_texts(score)
      value = html.strong { value }
      list[i] = with_sd and { score.name, value, interval, data.fixed(score.sd, data.decimals(score.sd, 2)),
         better, meaning }
         or { score.name, value, better, meaning }
   end
   return html.data_table { head = head, rows = list, align = with_sd and "lrrrll" or "lrll", stack = true }
end

-- The score of the best constant prediction on the test rows.
local function baseline_sentence(given, evidence)
   if given.does == "classify" then
      local counts = data.class_counts(evidence.y)
      return ("Baseline: always predicting '%s' is right for %s of the test rows."):format(
         data.label(counts[1].label), data.percent(counts[1].count / rows.count(evidence.y)))
   end
   local y = given.does == "regress" and data.targets(evidence.y).columns or {}
   if #y ~= 1 then return false end
   return ("Baseline: always predicting the mean, %s, has an r2 of 0 and an rmse of %s."):format(
      number(y[1]:mean()), number(y[1]:std()))
end

local MAX_CLASSES = 40

local function class_report(evidence)
   local report = require("manilius.metrics").report(evidence.y, evidence.outputs.predict)
   local list = {}
   for i = 1, math.min(#report.labels, MAX_CLASSES) do
      local label = report.labels[i]
      local one = report.classes[label]
      list[i] = { data.label(label), data.fixed(one.precision, 3), data.fixed(one.recall, 3), data.fixed(one.f1, 3),
         number(one.support) }
   end
   return html.join { html.h3 "By class", html.data_table { head = { "class", "precision", "recall", "f1", "rows" },
      rows = list, align = "lrrrr" },
      #report.labels > #list
         and html.p { class = "note", ("%d more classes are not listed."):format(#report.labels - #list) } or false,
      html.p { class = "note", "Precision: fraction of the rows predicted as the class that belong to it. Recall: "
         .. "fraction of the rows of the class that are predicted as it. f1: harmonic mean of both." } }
end

local function scores_section(given, evidence)
   return { html.p { evidence.how, evidence.splitter and { " ", html.code { evidence.splitter } } or false },
      scores_table(evidence),
      evidence.kind ~= "fit" and html.p { class = "note", "95% confidence intervals ", evidence.interval, "." }
         or false,
      html.p { baseline_sentence(given, evidence) },
      given.does == "classify" and evidence.outputs.predict and class_report(evidence) or false }
end

-- --- clusters ---

local function sizes_table(given, evidence)
   local counts, n, list = data.class_counts(evidence.outputs.predict), evidence.rows, {}
   for i, one in ipairs(counts) do
      list[i] = { data.label(one.label), ("%d"):format(one.count), data.percent(one.count / n) }
   end
   local frame = data.frame_of(given.X)
   local profile = frame and data.profile_table(frame, evidence.outputs.predict)
   return html.join { html.h3 "Sizes", html.data_table { head = { "cluster", "rows", "share" }, rows = list,
      align = "lrr" }, profile and { html.h3 "Cluster means", profile } or false }
end

-- --- pictures ---

local function in_grid(list)
   return html.div { class = "pictures", list }
end

local function curves(given, evidence, state)
   local from = html.p { class = "note", evidence.kind == "test" and "Based on the predictions for the test rows."
      or "Based on the pooled held-out predictions of all folds; values may differ slightly from the mean over folds "
      .. "above." }
   if given.does == "classify" then return { from, in_grid(pictures.classifier(state, evidence)) } end
   if given.does == "regress" then return { from, in_grid(pictures.regressor(state, evidence)) } end
   if given.does == "cluster" then
      return { sizes_table(given, evidence), in_grid(pictures.clustering(state, evidence)) }
   end
end

local function learning_curve(given, state)
   local o = given.options
   return { in_grid { pictures.show(state, "learning_curve", function()
      local held_out = require "manilius.report.held_out"
      local scoring = require("manilius.select.evaluate").default_score(given.model, given.y)
      local frame = require("manilius.select.curves").learning_curve(given.model, given.X, given.y, {
         groups = o.groups, seed = o.seed, threads = o.threads, scoring = scoring,
         cv = held_out.splitter_of(o.cv, o.seed, given.does == "classify", o.groups) })
      return require("manilius.plot").learning_curve(frame, { title = "Learning curve", scoring = scoring })
   end) } }
end

-- --- feature importance ---

local function importance_table(importance)
   local list, t = {}, importance.table
   local decimals = data.decimals(t.importance:abs():max(), 3)
   for i = 1, math.min(#t.feature, 30) do
      list[i] = { t.feature[i], data.fixed(t.importance[i], decimals), data.fixed(t.sd[i], decimals) }
   end
   local more = #t.feature - #list
   return html.join { html.data_table { head = { "column", importance.greater and "decrease" or "increase", "sd" },
      rows = list, align = "lrr" }, more > 0 and html.p { class = "note", ("%s not listed."):format(
         data.plural(more, "more column")) } or false }
end

local function coefficients_table(fitted)
   local last = pictures.last_of(fitted)
   if not last or estimator.title(last) ~= "LinearRegression" or not last.inference then return false end
   local ok, found = rows.try(function() return last:summary().coefficients end)
   if not ok then return false end
   local list = {}
   for i = 1, math.min(#found.term, 60) do
      local aliased = found.estimate[i] ~= found.estimate[i]
      local one = { mean = found.estimate[i], low = found.low[i], high = found.high[i] }
      local value, interval = data.score_texts(one, 3)
      list[i] = aliased and { found.term[i], "aliased", "", "" }
         or { found.term[i], value, interval, found.p[i] < 0.001 and "<0.001" or ("%.3f"):format(found.p[i]) }
   end
   return html.data_table { head = { "term", "estimate", "95% interval", "p" }, rows = list, align = "lrrr" }
end

local function importance_section(given, importance, state)
   local out = {}
   if importance and importance.table then
      out[1] = html.h3((result.picture(importance)))
      out[2] = in_grid { pictures.show(state, "importance", function() return importance:plot { top = 20 } end),
         importance_table(importance) }
   elseif importance then
      out[1] = html.p { class = "note", importance.why }
   end
   local coefficients, plot = coefficients_table(given.fitted), pictures.coefficients(state, given.fitted)
   if coefficients or plot then
      out[#out + 1] = html.h3 "Coefficients"
      out[#out + 1] = html.p { class = "note", given.was_fitted_here and "From the model fitted on all rows."
         or "From the given model." }
      out[#out + 1] = in_grid { plot, coefficients }
   end
   return #out > 0 and out or nil
end

local function components_section(given, state)
   local last = pictures.last_of(given.fitted)
   if not last or estimator.learned(last, "explained_variance_ratio") == nil then return nil end
   return { in_grid(pictures.components(state, given)) }
end

-- --- the top ---

local function fact(value, what)
   return html.li { html.b { value }, html.span { what } }
end

local KINDS = { folds = "by cross-validation", test = "on held-out rows", fit = "on the training rows" }

local function facts(given, evidence)
   local list = {}
   local first = evidence and evidence.scores[1]
   if first then
      local value, interval = data.score_texts(first)
      list[1] = fact(value, ("%s%s, %s"):format(first.name, interval ~= "" and (" (%s)"):format(interval) or "",
         KINDS[evidence.kind]))
   end
   list[#list + 1] = fact(("%d"):format(rows.count(given.X)), evidence and evidence.kind == "test" and "training rows"
      or "rows")
   if evidence and evidence.kind == "test" then
      list[#list + 1] = fact(("%d"):format(evidence.rows), "held-out rows")
   end
   list[#list + 1] = fact(("%d"):format(rows.width(given.X)), "columns")
   if given.does == "classify" then
      list[#list + 1] = fact(("%d"):format(#data.class_counts(given.y)), "classes")
   elseif given.does == "cluster" then
      list[#list + 1] = fact(("%d"):format(#data.class_counts(evidence.outputs.predict)), "clusters")
   end
   return html.ul { class = "facts", list }
end

local function warnings_block(given, warnings)
   if #warnings == 0 then
      return html.p { class = "note", require("manilius.report.checks").no_warnings_text(given) }
   end
   local list = {}
   for i, warning in ipairs(warnings) do list[i] = html.li { warning } end
   return html.div { class = "warnings", html.ul(list) }
end

local function today(options)
   if options.date then return options.date end
   local ok, date = pcall(function() return os.date "%Y-%m-%d %H:%M" end)
   return ok and date or nil
end

local function title_of(given)
   if given.options.title then return given.options.title end
   local last = pictures.last_of(given.fitted)
   local name = estimator.title(last or given.model)
   return ("Report on %s%s"):format(name, given.target and " for " .. given.target or "")
end

local function versions(given, date)
   return { html.pre { tostring(require("manilius.help").about()) },
      html.p { ("Seed of folds and shuffles: %d."):format(given.options.seed),
         date and (" Created: %s."):format(date) or "" } }
end

--- The whole page.
-- @return { title =, html =, left_out = number of plots that could not be drawn }
function M.page(given, evidence, importance, warnings)
   local state = { wanted = given.options.pictures, left_out = 0 }
   local sections = {}
   local function add(id, title, body)
      if body then sections[#sections + 1] = { id = id, title = title, body = body } end
   end
   local date, title = today(given.options), title_of(given)
   add("first", "Warnings", warnings_block(given, warnings))
   add("scores", "Scores", evidence and scores_section(given, evidence))
   add("curves", given.does == "cluster" and "Clusters" or "Diagnostic plots",
      evidence and curves(given, evidence, state))
   add("learning", "Learning curve", given.options.learning_curve and evidence and evidence.kind ~= "fit"
      and learning_curve(given, state))
   add("importance", "Feature importance", importance_section(given, importance, state))
   add("components", "Components", components_section(given, state))
   add("data", "Data", data.section(given))
   add("model", "Model and parameters", require("manilius.report.settings").section(given.fitted))
   add("made", "Versions", versions(given, date))
   local lead = { html.p { class = "note", estimator.one_line(given.model), date and ". " .. date or "" },
      facts(given, evidence), state.missing and html.p { class = "note",
         ("%s could not be drawn and %s shown as text: %s."):format(data.plural(state.left_out, "plot"),
            state.left_out == 1 and "is" or "are", state.missing) } or false }
   return { title = title, html = page.whole { title = title, lead = lead, sections = sections },
      left_out = state.left_out }
end

return M
