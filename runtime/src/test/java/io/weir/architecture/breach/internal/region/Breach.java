package io.weir.architecture.breach.internal.region;

/** Sees what regions mustn't. */
public interface Breach {
  io.weir.architecture.breach.internal.engine.Breach sees();
}
