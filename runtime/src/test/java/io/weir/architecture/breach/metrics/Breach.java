package io.weir.architecture.breach.metrics;

/** Sees what metrics mustn't. */
public interface Breach {
  io.weir.architecture.breach.engine.Breach sees();
}
