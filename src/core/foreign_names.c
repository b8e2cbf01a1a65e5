#include "foreign_names.h"
#include <string.h>

/* The names here that a name of another library may mean, the likeliest first. */
static const char *const translations[][4] = {
  { "C", "alpha" },
  { "accuracy_score", "accuracy" },
  { "adjusted_mutual_info_score", "ami" },
  { "adjusted_rand_score", "ari" },
  { "auc", "roc_auc" },
  { "average_precision_score", "average_precision" },
  { "bagging_fraction", "subsample" },
  { "balanced_accuracy_score", "balanced_accuracy" },
  { "base_estimator", "estimator", "model", "regressor" },
  { "base_margin", "init_score" },
  { "border_count", "max_bins" },
  { "brier_score", "brier" },
  { "brier_score_loss", "brier" },
  { "bw", "bandwidth" },
  { "bw_method", "bandwidth_rule" },
  { "calinski_harabasz_score", "calinski_harabasz" },
  { "class_weights", "class_weight" },
  { "classes", "labels" },
  { "classes_", "classes" },
  { "classification_report", "report" },
  { "coef_", "coef" },
  { "cohen_kappa_score", "kappa" },
  { "cost", "C", "alpha" },
  { "cp", "ccp_alpha" },
  { "criterion", "loss" },
  { "davies_bouldin_score", "davies_bouldin" },
  { "dcg_score", "dcg" },
  { "depth", "max_depth" },
  { "early_stopping_rounds", "n_iter_no_change", "early_stopping" },
  { "epochs", "max_iter" },
  { "estimator", "model", "regressor" },
  { "eta", "learning_rate", "eta0" },
  { "eval_set", "eval" },
  { "explained_variance_score", "explained_variance" },
  { "f1_score", "f1" },
  { "fbeta_score", "fbeta" },
  { "feature_fraction", "colsample_bytree", "max_features" },
  { "feature_names", "names", "columns" },
  { "fit_params", "weights" },
  { "intercept", "fit_intercept" },
  { "iterations", "max_iter", "n_estimators" },
  { "k", "n_clusters", "n_neighbors", "cv" },
  { "l1", "l1_regularization", "alpha" },
  { "l2", "l2_regularization", "alpha" },
  { "lambda", "alpha", "l2_regularization", "reg_param" },
  { "lambda_l1", "l1_regularization" },
  { "lambda_l2", "l2_regularization" },
  { "log_loss_score", "log_loss" },
  { "loss_function", "loss" },
  { "matthews_corrcoef", "mcc" },
  { "max_bin", "max_bins" },
  { "max_leaves", "max_leaf_nodes" },
  { "maxdepth", "max_depth" },
  { "maxit", "max_iter" },
  { "mean_absolute_error", "mae" },
  { "mean_absolute_percentage_error", "mape" },
  { "mean_gamma_deviance", "gamma_deviance" },
  { "mean_pinball_loss", "pinball" },
  { "mean_poisson_deviance", "poisson_deviance" },
  { "mean_squared_error", "mse" },
  { "mean_squared_log_error", "msle" },
  { "mean_tweedie_deviance", "tweedie_deviance" },
  { "median_absolute_error", "median_ae" },
  { "min_child_samples", "min_samples_leaf" },
  { "min_data_in_leaf", "min_samples_leaf" },
  { "min_gain_to_split", "min_split_gain" },
  { "min_node_size", "min_samples_leaf" },
  { "min_split_loss", "min_split_gain" },
  { "min_sum_hessian_in_leaf", "min_child_weight" },
  { "minbucket", "min_samples_leaf" },
  { "minsplit", "min_samples_split" },
  { "monotone_constraints", "monotonic_cst" },
  { "monotonic_constraints", "monotonic_cst" },
  { "mtry", "max_features" },
  { "mutual_info_score", "mutual_information" },
  { "n_estimators", "max_iter" },
  { "n_folds", "k", "cv" },
  { "n_iter", "trials", "max_iter" },
  { "n_jobs", "threads" },
  { "n_repeats", "repeats" },
  { "n_splits", "k", "splits", "cv" },
  { "n_threads", "threads" },
  { "n_trees", "n_estimators", "max_iter" },
  { "ndcg_score", "ndcg" },
  { "nlambda", "n_alphas" },
  { "normalized_mutual_info_score", "nmi" },
  { "nrounds", "max_iter", "n_estimators" },
  { "nthread", "threads" },
  { "ntree", "n_estimators" },
  { "ntrees", "n_estimators", "max_iter" },
  { "num_boost_round", "max_iter", "n_estimators" },
  { "num_iterations", "max_iter", "n_estimators" },
  { "num_leaves", "max_leaf_nodes" },
  { "num_round", "max_iter", "n_estimators" },
  { "num_threads", "threads" },
  { "oob_decision_function_", "oob_prediction" },
  { "param_distributions", "space", "params", "grid" },
  { "param_grid", "grid", "params" },
  { "pos_label", "positive" },
  { "precision_recall_curve", "pr_curve" },
  { "precision_score", "precision" },
  { "probability", "predict_proba" },
  { "quantile_alpha", "quantile" },
  { "r2_score", "r2" },
  { "r_squared", "r2" },
  { "random_seed", "seed" },
  { "random_state", "seed" },
  { "rate", "learning_rate" },
  { "recall_score", "recall" },
  { "reg_alpha", "l1_regularization" },
  { "reg_lambda", "l2_regularization" },
  { "rmsle_score", "rmsle" },
  { "roc_auc_score", "roc_auc" },
  { "root_mean_squared_error", "rmse" },
  { "root_mean_squared_log_error", "rmsle" },
  { "rounds", "max_iter", "n_estimators" },
  { "sample_weight", "weights" },
  { "sample_weights", "weights" },
  { "sampsize", "max_samples" },
  { "scores", "scoring" },
  { "sep", "delimiter" },
  { "shrinkage", "learning_rate" },
  { "silhouette_score", "silhouette" },
  { "stratified", "stratify" },
  { "terms", "coef" },
  { "test_size", "test" },
  { "train_size", "train" },
  { "v_measure_score", "v_measure" },
  { "weight", "weights" },
};

/* Settings of other libraries that have no counterpart. */
static const char *const notes[][2] = {
  { "n_jobs", "ml.threads(n) sets the number of threads for all models" },
  { "nthread", "ml.threads(n) sets the number of threads for all models" },
  { "n_threads", "ml.threads(n) sets the number of threads for all models" },
  { "num_threads", "ml.threads(n) sets the number of threads for all models" },
  { "reg_lambda", "HistGradientBoosting* has l2_regularization" },
  { "reg_alpha", "HistGradientBoosting* has l1_regularization" },
  { "verbose", "ml.progress(true) shows the progress of long fits" },
  { "verbosity", "ml.progress(true) shows the progress of long fits" },
  { "silent", "ml.progress(true) shows the progress of long fits" },
  { "random_state", "it uses no random numbers, so it needs no seed" },
  { "copy_X", "X is never changed" },
  { "copy", "X is never changed" },
  { "normalize", "scale the columns of X in a pipeline: ml.Pipeline { ml.StandardScaler {}, model }" },
  { "multi_class",
    "several classes are fitted jointly (softmax); ml.OneVsRestClassifier { model } fits one model for each class" },
  { "dual", "the solver is chosen automatically" },
  { "probability", "predict_proba needs no setting" },
  { "enable_categorical", "Factor columns are used as categories" },
  { "categorical_features", "Factor columns of a Frame are used as categories" },
};

static const char *find_name(const char *name, const char *const *names, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (names[i] && strcmp(names[i], name) == 0) return names[i];
  return NULL;
}

const char *mn_translate_name(const char *name, const char *const *names, size_t n)
{
  for (size_t i = 0; i < sizeof translations / sizeof *translations; i++) {
    if (strcmp(translations[i][0], name) != 0) continue;
    for (size_t k = 1; k < 4 && translations[i][k]; k++) {
      const char *found = find_name(translations[i][k], names, n);
      if (found) return found;
    }
  }
  return NULL;
}

const char *mn_foreign_name_note(const char *name)
{
  for (size_t i = 0; i < sizeof notes / sizeof *notes; i++)
    if (strcmp(notes[i][0], name) == 0) return notes[i][1];
  return NULL;
}
