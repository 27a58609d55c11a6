package io.weir.internal.writeback;

/** Why a bucket leaves the cache, which decides what it still tells the store. */
enum EvictionReason {
  /** There are too many. The rest of a far lease isn't given back, since that costs an exchange. */
  TOO_MANY,

  /** The store is to be asked: all permits are given back, and debts are charged. */
  LET_GO,

  /** The bucket was reset: all permits are given back, but debts are dropped. */
  RESET
}
