package io.weir.architecture.breach.internal.engine.warmup;

/** Looks back. */
public interface Breach {
  io.weir.architecture.breach.internal.engine.Breach sees();
}
