package io.weir.architecture.breach.internal.permits;

/** Sees what permits mustn't. */
public interface Breach {
  io.weir.architecture.breach.internal.writeback.Breach sees();
}
