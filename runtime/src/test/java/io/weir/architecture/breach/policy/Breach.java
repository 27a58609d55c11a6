package io.weir.architecture.breach.policy;

/** Sees what policy mustn't. */
public interface Breach {
  io.weir.architecture.breach.http.Breach sees();
}
