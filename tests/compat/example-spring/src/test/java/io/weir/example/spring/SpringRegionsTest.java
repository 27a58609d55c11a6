package io.weir.example.spring;

import io.weir.compat.example.RegionTests;
import io.weir.seeds.RunOneIn;

/** Tests the example as two regions, in two processes. */
@RunOneIn(2)
class SpringRegionsTest extends RegionTests {
  SpringRegionsTest() {
    super(SpringExample.class);
  }
}
