package io.weir.architecture.breach.internal.algorithm;

/** Sees what algorithm mustn't. */
public interface Breach {
  io.weir.architecture.breach.internal.inprocess.Breach sees();
}
