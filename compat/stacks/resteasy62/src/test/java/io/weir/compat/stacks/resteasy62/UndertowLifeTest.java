package io.weir.compat.stacks.resteasy62;

import io.weir.compat.jaxrs.JaxrsServing;
import io.weir.compat.jaxrs.LifeTests;
import io.weir.compat.jaxrs.server.Server;
import io.weir.seeds.DeepOnly;
import java.util.Map;
import java.util.Set;

@DeepOnly
class UndertowLifeTest extends JaxrsServing implements LifeTests {
  @Override
  protected Server start(Set<Class<?>> classes, Set<Object> instances) throws Exception {
    return Servers.undertow(classes, instances);
  }

  @Override
  protected boolean runsJersey() {
    return false;
  }

  @Override
  protected Map<String, String> impossible() {
    return Map.of(
        "theLastApplicationThatStopsClosesTheWeirMadeForIt",
        "RESTEasy's own Undertow runs no initializers: Weir is closed when the next application starts");
  }
}
