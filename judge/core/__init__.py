"""The ground that everything else stands on: errors, text, files, Parquet, nouns, tables, paths."""
