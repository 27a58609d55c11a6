package io.weir.compat.stacks.liberty;

import io.weir.compat.stack.CheckedWars;
import io.weir.compat.stack.WarChecks;

class ServletsWarTest extends WarChecks {
  ServletsWarTest() {
    super(CheckedWars::servlets, Liberty::with);
  }
}
