package io.weir.architecture.breach.internal.key;

/** Sees what key mustn't. */
public interface Breach {
  io.weir.architecture.breach.internal.policy.Breach sees();
}
