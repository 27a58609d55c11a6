package io.weir.architecture.breach.internal.ban;

/** Sees what ban mustn't. */
public interface Breach {
  io.weir.architecture.breach.internal.policy.Breach sees();
}
