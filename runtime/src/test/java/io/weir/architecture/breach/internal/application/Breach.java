package io.weir.architecture.breach.internal.application;

/** Sees what application mustn't. */
public interface Breach {
  io.weir.architecture.breach.internal.writeback.Breach sees();
}
