package io.weir.architecture.breach.http;

/** Sees what http mustn't. */
public interface Breach {
  io.weir.architecture.breach.engine.Breach sees();
}
