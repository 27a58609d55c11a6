package io.weir.compat.stacks.spring;

import io.weir.seeds.DeepOnly;

@DeepOnly
class JettyRulesTest extends SpringRuleChecks {
  JettyRulesTest() {
    super("MVC on Jetty", JettyMain.class, Libraries.jetty());
  }
}
