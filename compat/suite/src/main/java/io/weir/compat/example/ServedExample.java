package io.weir.compat.example;

/** An example that has been started for a test. */
interface ServedExample {
  /** Its endpoints; nobody has used any of them yet. */
  Api api();
}
