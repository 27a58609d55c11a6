package io.weir.architecture.breach.adapter;

/** Sees what adapters mustn't. */
public interface Breach {
  io.weir.architecture.breach.internal.guard.Breach sees();
}
