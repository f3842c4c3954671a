//! What is fed in: facts, corpora made from seeds, workloads by name.
