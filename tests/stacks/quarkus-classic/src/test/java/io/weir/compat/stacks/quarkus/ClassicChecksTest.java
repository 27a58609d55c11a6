package io.weir.compat.stacks.quarkus;

class ClassicChecksTest extends QuarkusChecks {
  @Override
  protected String stack() {
    return "Quarkus 3.33 Classic";
  }
}
