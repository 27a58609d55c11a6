package io.weir.test.architecture.circle;

/** Depends on Second. */
class First {
  Second next;
}
