local ml = require "manilius"

describe("Decision trees know their size:", function()
   local iris = ml.read_csv "examples/data/iris.csv"
   local names = iris.names
   local X, y = iris:drop(names[#names]), iris:col(names[#names])

   for _, name in ipairs { "DecisionTreeClassifier", "DecisionTreeRegressor" } do
      it(name, function()
         local target = name:find "Regressor" and X:col(X.names[4]) or y
         for _, settings in ipairs { {}, { max_depth = 2 }, { max_leaf_nodes = 5 }, { max_depth = 0 } } do
            local tree = ml[name](settings):fit(X, target)
            local nodes = tree:trees().nodes
            local leaves = nodes.left:isnan():sum() + nodes.left:eq(0):sum()
            assert.equal(leaves, tree.n_leaves)
            assert.equal(nodes.rows, 2 * tree.n_leaves - 1)
            if settings.max_depth then assert.is_true(tree.depth <= settings.max_depth) end
            local copy = ml.load(tree:dump())
            assert.equal(tree.n_leaves, copy.n_leaves)
            assert.equal(tree.depth, copy.depth)
         end
         assert.equal(0, ml[name] { max_depth = 0 }:fit(X, target).depth)
         assert.equal(1, ml[name] { max_leaf_nodes = 2 }:fit(X, target).depth)
      end)
   end
end)
