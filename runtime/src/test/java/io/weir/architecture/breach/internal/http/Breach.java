package io.weir.architecture.breach.internal.http;

/** Sees what http mustn't. */
public interface Breach {
  io.weir.architecture.breach.internal.engine.Breach sees();
}
