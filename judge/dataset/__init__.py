"""A dataset on disk: open one, build one, find a document by its id, keep its runs and pools."""
