package io.weir.architecture.breach.writeback;

/** Sees what writeback mustn't. */
public interface Breach {
  io.weir.architecture.breach.inprocess.Breach sees();
}
