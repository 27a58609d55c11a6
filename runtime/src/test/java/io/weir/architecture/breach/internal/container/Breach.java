package io.weir.architecture.breach.internal.container;

/** Looks back. */
public interface Breach {
  io.weir.architecture.breach.jaxrs.Breach sees();
}
