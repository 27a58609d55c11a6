package io.weir.architecture.breach.metrics;

/** Sees what metrics mustn't. */
public interface Breach {
  io.weir.architecture.breach.internal.engine.Breach sees();
}
