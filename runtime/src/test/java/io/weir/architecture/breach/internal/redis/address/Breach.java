package io.weir.architecture.breach.internal.redis.address;

/** Looks back. */
public interface Breach {
  io.weir.architecture.breach.internal.redis.Breach sees();
}
