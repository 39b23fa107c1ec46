"""
Say, family by family, which point of the native parameter space each implementation is.

A module of this package is named after the family of cases that it speaks of, and holds:

- ``METRIC``: the native metric's name;
- ``point(implementation, params)``: the native parameters under which it gives what that implementation gave on a case
  with these parameters, or a text that says why there are none;
- ``TOLERANCE``: implementations to the absolute tolerance on the unit scale, where one computes in single precision
  or prints few digits (1e-9 relative holds for all others);
- ``DIVERGENCES``: (case, implementation) to the reason why the two differ there;
- optionally ``compare(outcome, score)``: what differs beyond the headline, as a text, or an empty one.
"""
