package io.weir.architecture.breach.settings;

/** Sees what settings mustn't. */
public interface Breach {
  io.weir.architecture.breach.key.Breach sees();
}
