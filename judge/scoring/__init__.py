"""How good a ranking is: measures, scores of runs, slices of them, and reports as plain data.

`measures` knows names and formulas, `score` applies them to a run and qrels, `slices` cuts the
result by language, category and the like, `report` makes it one JSON document or the rows of a
table. All of it is numpy and pure functions; nothing here reads files or prints.
"""
