package io.weir.architecture.breach.internal.clock;

/** Sees what clock mustn't. */
public interface Breach {
  io.weir.architecture.breach.internal.engine.Breach sees();
}
