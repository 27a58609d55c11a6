package io.weir.architecture.breach.internal.guard;

/** Sees what guard mustn't. */
public interface Breach {
  io.weir.architecture.breach.internal.redis.Breach sees();
}
