package io.weir.architecture.breach.bucket4j;

/** Sees what bucket4j mustn't. */
public interface Breach {
  io.weir.architecture.breach.internal.inprocess.Breach sees();
}
