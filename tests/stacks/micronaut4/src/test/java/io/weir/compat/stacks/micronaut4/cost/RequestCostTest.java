package io.weir.compat.stacks.micronaut4.cost;

import io.weir.compat.stack.RequestCosts;
import io.weir.compat.stack.StackProcess;
import io.weir.compat.stacks.micronaut4.Application;
import io.weir.seeds.OneDayIn;
import java.io.IOException;
import java.util.List;

@OneDayIn(3)
class RequestCostTest extends RequestCosts {
  @Override
  protected String stack() {
    return "Micronaut";
  }

  /** Without Micronaut's security: what is measured is a request of its HTTP server alone. */
  @Override
  protected StackProcess newServer(boolean withWeir) throws IOException {
    return StackProcess.run(
        Application.class,
        library -> !library.toString().contains("security") && (withWeir || !isOfWeir(library)),
        List.of("-XX:TieredStopAtLevel=4", "-Dweir.test.cost=true"));
  }
}
