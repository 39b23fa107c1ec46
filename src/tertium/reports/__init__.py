"""
Write results for people and programs: plain data in, text out.

Every writer takes the object that ``--json`` prints, so a table never says anything that the object does not hold.
"""
