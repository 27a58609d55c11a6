package io.weir.architecture.breach.redis;

/** Sees what redis mustn't. */
public interface Breach {
  io.weir.architecture.breach.inprocess.Breach sees();
}
