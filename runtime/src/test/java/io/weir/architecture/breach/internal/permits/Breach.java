package io.weir.architecture.breach.internal.permits;

/** Sees what key mustn't. */
public interface Breach {
  io.weir.architecture.breach.internal.writeback.Breach sees();
}
