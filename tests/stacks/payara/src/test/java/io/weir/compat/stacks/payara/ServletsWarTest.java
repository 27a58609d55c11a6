package io.weir.compat.stacks.payara;

import io.weir.compat.stack.CheckedWars;
import io.weir.compat.stack.WarChecks;

class ServletsWarTest extends WarChecks {
  ServletsWarTest() {
    super(CheckedWars::servlets, Payara::with);
  }
}
