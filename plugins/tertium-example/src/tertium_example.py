import numpy as np

import tertium


class ExactMatch(tertium.Metric):
    """Share of cases whose output equals one of its references."""

    name, provider = "exact-match", "example"
    columns, outputs, scale = ("hits", "cases"), ("accuracy",), (0, 1)

    def __init__(self, *, lowercase: bool = False):
        self.lowercase = lowercase

    def preprocess(self, cases):
        return cases.map(str.lower) if self.lowercase else cases

    def statistics(self, prepared, constants):
        hits = [case.hypothesis in case.references for case in prepared]
        return np.column_stack([hits, np.ones(len(prepared))])

    def aggregate(self, sums):
        return sums[..., :1] / sums[..., 1:]


@tertium.hookimpl
def tertium_metrics():
    return [ExactMatch]
