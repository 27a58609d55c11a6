package io.weir.architecture.breach.internal.extension;

/** Sees what extension mustn't. */
public interface Breach {
  io.weir.architecture.breach.internal.engine.Breach sees();
}
