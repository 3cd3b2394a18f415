"""Labelled datasets made by construction: no model, no network, and a truth that is known."""
