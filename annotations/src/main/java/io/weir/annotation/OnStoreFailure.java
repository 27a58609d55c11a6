package io.weir.annotation;

/** Determines how a node decides while the shared store can't be reached. */
public enum OnStoreFailure {
  /** The value of the setting {@code weir.on-store-failure}; {@link #LOCAL} if it isn't set. */
  DEFAULT,
  /** This node enforces its share of the limit by itself. */
  LOCAL,
  /** Admit. */
  OPEN,
  /** Refuse with 503. */
  CLOSED
}
