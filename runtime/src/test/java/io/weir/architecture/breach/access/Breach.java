package io.weir.architecture.breach.access;

/** Sees what access mustn't. */
public interface Breach {
  io.weir.architecture.breach.internal.engine.Breach sees();
}
