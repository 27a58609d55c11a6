package io.weir.annotation;

/** Selects how far a limit reaches in an application that runs in several regions. */
public enum Scope {
  /** All regions together. */
  GLOBAL,
  /** Each region by itself: a caller has the whole limit in every one. */
  REGION
}
