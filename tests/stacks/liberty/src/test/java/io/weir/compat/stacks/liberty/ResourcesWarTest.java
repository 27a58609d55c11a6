package io.weir.compat.stacks.liberty;

import io.weir.compat.stack.CheckedWars;
import io.weir.compat.stack.WarChecks;

class ResourcesWarTest extends WarChecks {
  ResourcesWarTest() {
    super(CheckedWars::resources, Liberty::with);
  }
}
