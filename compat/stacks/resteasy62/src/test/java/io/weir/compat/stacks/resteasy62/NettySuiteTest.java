package io.weir.compat.stacks.resteasy62;

import io.weir.compat.jaxrs.JaxrsSuite;
import io.weir.compat.jaxrs.SwitchTests;
import io.weir.compat.jaxrs.ThreadTests;
import io.weir.compat.jaxrs.server.Server;
import io.weir.seeds.DeepOnly;
import java.util.Map;
import java.util.Set;

@DeepOnly
class NettySuiteTest extends JaxrsSuite implements ThreadTests, SwitchTests {
  @Override
  protected Server start(Set<Class<?>> classes, Set<Object> instances) throws Exception {
    return Servers.netty(classes, instances);
  }

  @Override
  protected boolean runsJersey() {
    return false;
  }

  @Override
  protected Map<String, String> impossible() {
    return Map.of();
  }

  @Override
  protected Map<String, String> harmful() {
    return Map.of(
        "whoHangsUpHasHadASuccess",
        "a body without end fills the memory: its writer keeps the event loop from sending any");
  }
}
