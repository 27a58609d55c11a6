package io.weir.architecture.breach.inprocess;

/** Sees what inprocess mustn't. */
public interface Breach {
  io.weir.architecture.breach.settings.Breach sees();
}
