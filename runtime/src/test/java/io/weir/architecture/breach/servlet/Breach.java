package io.weir.architecture.breach.servlet;

/** Sees what servlet mustn't. */
public interface Breach {
  io.weir.architecture.breach.aspectj.Breach sees();
}
