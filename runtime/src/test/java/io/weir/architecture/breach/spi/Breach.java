package io.weir.architecture.breach.spi;

/** Sees what spi mustn't. */
public interface Breach {
  io.weir.architecture.breach.internal.guard.Breach sees();
}
