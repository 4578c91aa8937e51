import fc from "fast-check";

// A mutant is dead at the first history that tells it; finding the smallest such history is for humans.
fc.configureGlobal({ endOnFailure: true });
