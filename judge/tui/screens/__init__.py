"""The screens: datasets, queries, judging, help, and what is said when one cannot open."""
