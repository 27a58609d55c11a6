package io.weir.architecture.breach.internal.policy.draft;

/** Looks back. */
public interface Breach {
  io.weir.architecture.breach.internal.policy.Breach sees();
}
