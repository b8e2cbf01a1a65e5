--- Examples for the help of the metrics, chosen by their arguments.

local ARGUMENTS = {
   ["y,probabilities"] = "{ 0, 1, 1, 0 }, { 0.2, 0.7, 0.9, 0.4 }",
   ["y,scores"] = "{ 0, 1, 1, 0 }, { 0.2, 0.7, 0.9, 0.4 }",
   ["y,low,high"] = "{ 1, 2, 3 }, { 0.5, 2.1, 2 }, { 1.5, 3, 4 }",
   ["low,high"] = "{ 0.5, 2.1, 2 }, { 1.5, 3, 4 }",
   ["y,sets"] = '{ "a", "b", "b" }, { { 1, 0 }, { 1, 1 }, { 1, 0 } }',
   sets = "{ { 1, 0 }, { 1, 1 }, { 1, 0 } }",
   ["y,labels"] = "{ 1, 1, 2, 2 }, { 1, 1, 2, 1 }",
   ["X,labels"] = "{ { 0 }, { 1 }, { 8 }, { 9 } }, { 1, 1, 2, 2 }",
   ["X,points"] = "ml.normal(30, 3, 1), ml.normal(30, 2, 2)",
   ["relevance,scores"] = "{ { 3, 2, 0 }, { 1, 0, 2 } }, { { 0.9, 0.3, 0.5 }, { 0.1, 0.2, 0.8 } }",
   ["tags,scores"] = "{ { 1, 0, 0 }, { 0, 1, 1 } }, { { 0.9, 0.3, 0.5 }, { 0.1, 0.2, 0.8 } }",
   ["y,first,second"] = '{ "a", "b", "b", "a" }, { "a", "b", "a", "a" }, { "b", "b", "b", "a" }',
}

local LABELS, NUMBERS = '{ "a", "b", "b", "a" }, { "a", "b", "a", "a" }', "{ 1, 2, 3, 5 }, { 1.5, 2, 2.5, 4 }"

local TAGS = '{ "B-LOC", "I-LOC", "O", "B-PER" }, { "B-LOC", "I-LOC", "O", "B-LOC" }'

local SPECIAL = { span_precision = TAGS, span_recall = TAGS, span_f1 = TAGS, span_report = TAGS,
   top_k_accuracy = '{ "a", "b", "c" }, { { 5, 2, 1 }, { 3, 2, 1 }, { 0, 1, 4 } }' }

-- Required options.
local OPTIONS = { precision_at_k = "{ k = 2 }", recall_at_k = "{ k = 2 }", adjusted_r2 = "{ features = 2 }",
   fbeta = "{ beta = 2 }" }

local function is_of_numbers(about)
   return about.options.average and not about.options.positive or about.name == "regression_report"
end

--- The example of a metric.
return function(about)
   local arguments = SPECIAL[about.name] or ARGUMENTS[table.concat(about.args, ",")]
      or (is_of_numbers(about) and NUMBERS or LABELS)
   local options = OPTIONS[about.name]
   return ("print(ml.metrics.%s(%s%s))"):format(about.name, arguments, options and ", " .. options or "")
end
