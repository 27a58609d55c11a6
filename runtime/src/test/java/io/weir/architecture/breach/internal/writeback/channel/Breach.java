package io.weir.architecture.breach.internal.writeback.channel;

/** Looks back. */
public interface Breach {
  io.weir.architecture.breach.internal.writeback.Breach sees();
}
