package io.weir.compat.stacks.payara;

import io.weir.compat.stack.CheckedWars;
import io.weir.compat.stack.WarChecks;

class ResourcesWarTest extends WarChecks {
  ResourcesWarTest() {
    super(CheckedWars::resources, Payara::with);
  }
}
