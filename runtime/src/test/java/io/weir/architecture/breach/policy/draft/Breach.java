package io.weir.architecture.breach.policy.draft;

/** Looks back. */
public interface Breach {
  io.weir.architecture.breach.policy.Breach sees();
}
