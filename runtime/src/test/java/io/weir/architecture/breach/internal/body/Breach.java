package io.weir.architecture.breach.internal.body;

/** Sees what body mustn't. */
public interface Breach {
  io.weir.architecture.breach.internal.key.Breach sees();
}
