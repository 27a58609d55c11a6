package io.weir.architecture.breach.load;

/** Sees what load mustn't. */
public interface Breach {
  io.weir.architecture.breach.engine.Breach sees();
}
