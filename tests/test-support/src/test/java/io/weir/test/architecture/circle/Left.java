package io.weir.test.architecture.circle;

/** Depends on Right. */
class Left {
  Right other;
}
