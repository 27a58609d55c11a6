package io.weir.example.jersey;

import io.weir.compat.example.RegionTests;

/** Tests the example as two regions, in two processes. */
class JerseyRegionsTest extends RegionTests {
  JerseyRegionsTest() {
    super(Main.class);
  }
}
