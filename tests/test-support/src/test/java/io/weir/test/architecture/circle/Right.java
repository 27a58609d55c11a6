package io.weir.test.architecture.circle;

/** Depends on Left. */
class Right {
  Left other;
}
