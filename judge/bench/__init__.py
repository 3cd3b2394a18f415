"""Systems run on a dataset: candidates drawn from them, measures taken, progress told."""
