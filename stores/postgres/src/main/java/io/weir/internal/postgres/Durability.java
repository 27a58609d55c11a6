package io.weir.internal.postgres;

/** The persistence of the rows. */
enum Durability {
  /** Logged; a commit doesn't wait for the disk. A crash loses at most the last 0.6 s. */
  ASYNCHRONOUS,
  /** Logged; each commit waits as the server's {@code synchronous_commit} says. */
  SYNCHRONOUS,
  /** Not logged: a crash and a fail-over lose all rows, and replicas have none. */
  UNLOGGED
}
