package io.weir.architecture.breach.internal.threads;

/** Sees what threads mustn't. */
public interface Breach {
  io.weir.architecture.breach.internal.engine.Breach sees();
}
