package io.weir.architecture.breach.guard;

/** Sees what guard mustn't. */
public interface Breach {
  io.weir.architecture.breach.jaxrs.Breach sees();
}
