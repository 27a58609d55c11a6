package io.weir.architecture.breach.internal.settings;

/** Sees what settings mustn't. */
public interface Breach {
  io.weir.architecture.breach.internal.key.Breach sees();
}
