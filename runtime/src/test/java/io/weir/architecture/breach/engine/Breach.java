package io.weir.architecture.breach.engine;

/** Sees what engine mustn't. */
public interface Breach {
  io.weir.architecture.breach.guard.Breach sees();
}
