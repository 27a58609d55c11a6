package io.weir.architecture.breach.aspectj;

/** Sees what aspectj mustn't. */
public interface Breach {
  io.weir.architecture.breach.internal.engine.Breach sees();
}
