package io.weir.architecture.breach.internal.redis.connection;

/** Looks back. */
public interface Breach {
  io.weir.architecture.breach.internal.redis.Breach sees();
}
