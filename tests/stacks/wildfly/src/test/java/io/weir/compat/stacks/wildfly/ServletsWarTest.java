package io.weir.compat.stacks.wildfly;

import io.weir.compat.stack.CheckedWars;
import io.weir.compat.stack.WarChecks;

class ServletsWarTest extends WarChecks {
  ServletsWarTest() {
    super(CheckedWars::servlets, WildFly::with);
  }
}
