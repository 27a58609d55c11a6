package io.weir.architecture.breach.tracing;

/** Sees what tracing mustn't. */
public interface Breach {
  io.weir.architecture.breach.internal.engine.Breach sees();
}
