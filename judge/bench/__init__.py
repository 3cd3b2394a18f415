"""Systems run on a dataset: candidates drawn from them, measures taken of them."""
