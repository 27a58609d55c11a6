package io.weir.architecture.breach.extension;

/** Sees what extension mustn't. */
public interface Breach {
  io.weir.architecture.breach.engine.Breach sees();
}
