package io.weir.architecture.breach.redis.address;

/** Looks back. */
public interface Breach {
  io.weir.architecture.breach.redis.Breach sees();
}
