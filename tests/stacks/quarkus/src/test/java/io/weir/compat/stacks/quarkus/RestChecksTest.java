package io.weir.compat.stacks.quarkus;

class RestChecksTest extends QuarkusChecks {
  @Override
  protected String stack() {
    return "Quarkus 3.33 REST";
  }
}
