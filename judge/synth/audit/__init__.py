"""Whether a generated set is neither trivial nor broken: probes, and what they must say."""
