package io.weir.architecture.breach.internal.redis;

/** Sees what redis mustn't. */
public interface Breach {
  io.weir.architecture.breach.internal.inprocess.Breach sees();
}
