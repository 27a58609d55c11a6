package io.weir.compat.stacks.spring;

import io.weir.seeds.DeepOnly;

@DeepOnly
class UndertowRulesTest extends SpringRuleChecks {
  UndertowRulesTest() {
    super("MVC on Undertow", UndertowMain.class, Libraries.undertow());
  }
}
