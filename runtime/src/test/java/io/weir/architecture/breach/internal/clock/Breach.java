package io.weir.architecture.breach.internal.clock;

/** Sees what key mustn't. */
public interface Breach {
  io.weir.architecture.breach.internal.engine.Breach sees();
}
