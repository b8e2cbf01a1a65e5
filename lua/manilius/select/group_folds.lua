--- Splitters of whole groups of rows, and of folds given by the user.

local core = require "manilius.core"
local algorithms = require "manilius.select.group_splitters"
local splitter = require "manilius.select.splitter"

local M = { help = {} }

local function define(name, about, split) splitter.define(M, name, about, split) end

define("LeaveOneGroupOut", {
   brief = "Cross-validation in which each group is the test set once.",
   params = {},
   example = 'print(ml.LeaveOneGroupOut {}:split(5, nil, { "x", "x", "y", "z", "z" }))',
}, function(_, n, _, groups)
   return algorithms.leave_groups_out("LeaveOneGroupOut", 1, n, groups)
end)

define("LeavePGroupsOut", {
   brief = "Cross-validation in which each set of p groups is the test set once.",
   params = { { name = "p", default = 2, least = 1, brief = "number of test groups" } },
   example = 'print(ml.LeavePGroupsOut { p = 2 }:split(5, nil, { "x", "x", "y", "z", "z" }))',
}, function(self, n, _, groups)
   return algorithms.leave_groups_out("LeavePGroupsOut", self.p, n, groups)
end)

define("StratifiedGroupKFold", {
   brief = "k-fold cross-validation of whole groups with similar class proportions of y.",
   notes = "Groups are assigned one by one, those with the most unequal classes first, each to the fold that makes "
      .. "the class proportions of all folds most alike.",
   params = { splitter.K, splitter.SHUFFLE, splitter.SHUFFLE_SEED },
   example = 'print(ml.StratifiedGroupKFold { k = 2 }:split(6, { "a", "b", "a", "b", "a", "a" }, '
      .. '{ 1, 1, 2, 2, 3, 4 }))',
}, function(self, n, y, groups)
   return algorithms.stratified_groups(self, n, y, groups, splitter.maybe_rng(self))
end)

define("RepeatedStratifiedGroupKFold", {
   brief = "StratifiedGroupKFold repeated with different shuffles.",
   params = { splitter.K, splitter.REPEATS, splitter.SEED },
   example = 'print(ml.RepeatedStratifiedGroupKFold { k = 2, repeats = 2 }:split(6, '
      .. '{ "a", "b", "a", "b", "a", "a" }, { 1, 1, 2, 2, 3, 4 }))',
}, splitter.repeated(function(self, n, y, groups, i)
   return algorithms.stratified_groups(self, n, y, groups, core.rng(self.seed, i))
end))

define("RepeatedGroupKFold", {
   brief = "GroupKFold repeated with different shuffles.",
   params = { splitter.K, splitter.REPEATS, splitter.SEED },
   example = 'print(ml.RepeatedGroupKFold { k = 2, repeats = 2 }:split(5, nil, { "x", "x", "y", "z", "z" }))',
}, splitter.repeated(function(self, n, _, groups, i)
   return algorithms.grouped(self, n, groups, core.rng(self.seed, i))
end))

define("PredefinedSplit", {
   brief = "Cross-validation with given folds: each fold is the test set once.",
   params = { { name = "test_fold", default = splitter.NONE, kind = "list",
      brief = "the test fold of each row, a whole number; -1: the row is never tested" } },
   example = "print(ml.PredefinedSplit { test_fold = { 1, 1, 2, 2, -1 } }:split(5))",
}, algorithms.predefined)

return M
