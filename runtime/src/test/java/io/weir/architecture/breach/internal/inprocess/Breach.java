package io.weir.architecture.breach.internal.inprocess;

/** Sees what inprocess mustn't. */
public interface Breach {
  io.weir.architecture.breach.internal.settings.Breach sees();
}
