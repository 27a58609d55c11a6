package io.weir.architecture.breach.internal.writeback.lease;

/** Looks back. */
public interface Breach {
  io.weir.architecture.breach.internal.writeback.Breach sees();
}
