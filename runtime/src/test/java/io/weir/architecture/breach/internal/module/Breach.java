package io.weir.architecture.breach.internal.module;

/** Sees what module mustn't. */
public interface Breach {
  io.weir.architecture.breach.internal.engine.Breach sees();
}
