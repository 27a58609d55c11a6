package io.weir.example.servlet;

import io.weir.compat.example.RegionTests;
import io.weir.seeds.RunOneIn;

/** Tests the example as two regions, in two processes. */
@RunOneIn(2)
class ServletRegionsTest extends RegionTests {
  ServletRegionsTest() {
    super(Main.class);
  }
}
