package io.weir.architecture.breach.internal.store;

/** Sees what store mustn't. */
public interface Breach {
  io.weir.architecture.breach.internal.engine.Breach sees();
}
