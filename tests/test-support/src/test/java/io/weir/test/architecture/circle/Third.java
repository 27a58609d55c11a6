package io.weir.test.architecture.circle;

/** Depends on First. */
class Third {
  First next() {
    return new First();
  }
}
