package io.weir.architecture.breach.algorithm;

/** Sees what algorithm mustn't. */
public interface Breach {
  io.weir.architecture.breach.inprocess.Breach sees();
}
