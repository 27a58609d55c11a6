package io.weir.architecture.breach.annotation;

/** Sees what annotation mustn't. */
public interface Breach {
  io.weir.architecture.breach.Breach sees();
}
