package io.weir.architecture.breach.internal.access;

/** Sees what access mustn't. */
public interface Breach {
  io.weir.architecture.breach.internal.policy.Breach sees();
}
