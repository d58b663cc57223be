"""Statistics of one result: mean, intervals, outliers, drift, autocorrelation, modes."""
