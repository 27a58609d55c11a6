package io.weir.architecture.breach.internal.writeback;

/** Sees what writeback mustn't. */
public interface Breach {
  io.weir.architecture.breach.internal.inprocess.Breach sees();
}
