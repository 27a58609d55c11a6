package io.weir.compat.stacks.quarkus;

class ClassicRulesTest extends QuarkusRuleChecks {
  @Override
  protected String stack() {
    return "Quarkus 3.33 Classic";
  }
}
