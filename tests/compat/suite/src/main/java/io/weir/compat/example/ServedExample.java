package io.weir.compat.example;

/** An example that has been started for a test. */
interface ServedExample {
  /** Returns its endpoints, none of which has been used yet. */
  Api api();
}
