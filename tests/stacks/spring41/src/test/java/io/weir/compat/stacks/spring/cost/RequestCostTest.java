package io.weir.compat.stacks.spring.cost;

import io.weir.compat.stack.RequestCosts;
import io.weir.compat.stack.StackProcess;
import io.weir.compat.stacks.spring.Libraries;
import io.weir.seeds.OneDayIn;
import java.io.IOException;
import java.util.List;

@OneDayIn(3)
class RequestCostTest extends RequestCosts {
  @Override
  protected String stack() {
    return "Spring MVC";
  }

  /** Without Spring Security: what is measured is a request of Spring MVC alone. */
  @Override
  protected StackProcess newServer(boolean withWeir) throws IOException {
    return StackProcess.run(
        CostMain.class,
        library ->
            Libraries.tomcat().test(library)
                && !library.toString().contains("security")
                && (withWeir || !isOfWeir(library)),
        List.of("-XX:TieredStopAtLevel=4", "-Dserver.tomcat.max-keep-alive-requests=-1"));
  }
}
