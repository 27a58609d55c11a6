package io.weir.compat.stacks.wildfly;

import io.weir.compat.stack.CheckedWars;
import io.weir.compat.stack.WarChecks;

class ResourcesWarTest extends WarChecks {
  ResourcesWarTest() {
    super(CheckedWars::resources, WildFly::with);
  }
}
