"""What the workers of an experiment share: results, claims, slots of models, and the calls that were answered."""
