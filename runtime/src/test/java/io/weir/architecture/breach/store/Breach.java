package io.weir.architecture.breach.store;

/** Sees what store mustn't. */
public interface Breach {
  io.weir.architecture.breach.internal.algorithm.Breach sees();
}
