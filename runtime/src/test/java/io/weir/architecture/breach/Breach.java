package io.weir.architecture.breach;

/** Sees what the model mustn't. */
public interface Breach {
  io.weir.architecture.breach.internal.engine.Breach sees();
}
