package io.weir.architecture.breach.internal.value;

/** Sees what value mustn't. */
public interface Breach {
  io.weir.architecture.breach.internal.engine.Breach sees();
}
