package io.weir.engine;

/** What a decision rests on. */
enum Basis {
  /** The store's answer. */
  STORE,
  /** This node's own count, while the store is away. */
  LOCAL,
  /** Nothing: admitted while the store is away. */
  OPEN,
  /** Nothing: refused while the store is away, or after the end. */
  CLOSED
}
