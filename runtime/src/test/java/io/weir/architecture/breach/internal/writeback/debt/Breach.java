package io.weir.architecture.breach.internal.writeback.debt;

/** Looks back. */
public interface Breach {
  io.weir.architecture.breach.internal.writeback.Breach sees();
}
