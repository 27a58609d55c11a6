package io.weir.test.architecture.circle;

/** Depends on First. */
class Alone {
  First first;
}
