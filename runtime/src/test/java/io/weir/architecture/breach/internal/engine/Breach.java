package io.weir.architecture.breach.internal.engine;

/** Sees what engine mustn't. */
public interface Breach {
  io.weir.architecture.breach.internal.guard.Breach sees();
}
