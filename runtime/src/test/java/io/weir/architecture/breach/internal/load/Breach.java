package io.weir.architecture.breach.internal.load;

/** Sees what load mustn't. */
public interface Breach {
  io.weir.architecture.breach.internal.engine.Breach sees();
}
