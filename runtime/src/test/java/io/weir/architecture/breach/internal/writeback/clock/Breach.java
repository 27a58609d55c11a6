package io.weir.architecture.breach.internal.writeback.clock;

/** Looks back. */
public interface Breach {
  io.weir.architecture.breach.internal.writeback.Breach sees();
}
