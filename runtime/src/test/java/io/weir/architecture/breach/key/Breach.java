package io.weir.architecture.breach.key;

/** Sees what key mustn't. */
public interface Breach {
  io.weir.architecture.breach.policy.Breach sees();
}
