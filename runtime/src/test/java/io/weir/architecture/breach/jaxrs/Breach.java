package io.weir.architecture.breach.jaxrs;

/** Sees what jaxrs mustn't. */
public interface Breach {
  io.weir.architecture.breach.servlet.Breach sees();
}
