package io.weir.compat.stacks.quarkus;

import io.weir.seeds.DeepOnly;

@DeepOnly
class RestRulesTest extends QuarkusRuleChecks {
  @Override
  protected String stack() {
    return "Quarkus 3.33 REST";
  }
}
