package io.weir.internal.engine;

/** What a decision rests on. */
enum DecidedBy {
  /** The store's answer. */
  STORE,
  /**
   * Nothing, nor need there be: another policy of the request refuses, so this one wasn't asked.
   */
  UNASKED,
  /** This node's own count, while the store is away. */
  LOCAL,
  /** Nothing: admitted while the store is away. */
  OPEN,
  /** Nothing: refused while the store is away, or after the end. */
  CLOSED;

  /** Whether the store would have been asked, had it been there. */
  boolean degraded() {
    return this != STORE && this != UNASKED;
  }
}
