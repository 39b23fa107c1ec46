"""
Metrics of a few lines for tests, importable from worker processes.
"""
