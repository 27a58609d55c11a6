package io.weir.test.architecture.circle;

/** Depends on Third. */
class Second {
  static class Inner {
    Third next;
  }
}
