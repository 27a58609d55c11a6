package io.weir.architecture.breach.internal.policy;

/** Sees what policy mustn't. */
public interface Breach {
  io.weir.architecture.breach.internal.http.Breach sees();
}
