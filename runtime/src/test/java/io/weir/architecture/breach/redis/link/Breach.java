package io.weir.architecture.breach.redis.link;

/** Looks back. */
public interface Breach {
  io.weir.architecture.breach.redis.Breach sees();
}
