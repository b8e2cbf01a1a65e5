--- All modules that define classes of estimators in Lua: required before an archive is read.
require "manilius.pipeline"
require "manilius.columns"
require "manilius.adaboost"
require "manilius.bagging"
require "manilius.boosted"
require "manilius.formula_model"
require "manilius.one_vs_rest"
require "manilius.polynomial"
require "manilius.ransac"
require "manilius.search"
require "manilius.stacking"
require "manilius.voting"
return true
