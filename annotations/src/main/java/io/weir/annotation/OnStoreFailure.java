package io.weir.annotation;

/** How a node decides while the shared store can't be reached. */
public enum OnStoreFailure {
  /** What the setting {@code weir.on-store-failure} says; {@link #LOCAL} unless it is set. */
  DEFAULT,
  /** This node enforces its share of the limit by itself. */
  LOCAL,
  /** Admit. */
  OPEN,
  /** Refuse with 503. */
  CLOSED
}
