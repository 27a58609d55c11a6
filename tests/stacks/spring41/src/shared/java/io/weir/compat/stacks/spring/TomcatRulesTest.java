package io.weir.compat.stacks.spring;

import io.weir.seeds.DeepOnly;

@DeepOnly
class TomcatRulesTest extends SpringRuleChecks {
  TomcatRulesTest() {
    super("MVC on Tomcat", TomcatMain.class, Libraries.tomcat());
  }
}
