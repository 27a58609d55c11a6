package io.weir.compat.stacks.resteasy62;

import io.weir.compat.jaxrs.server.Server;
import io.weir.compat.rules.JaxrsRuleSuite;
import io.weir.seeds.DeepOnly;
import java.util.Set;

@DeepOnly
class UndertowRuleSuiteTest extends JaxrsRuleSuite {
  @Override
  protected Server start(Set<Class<?>> classes, Set<Object> instances) throws Exception {
    return Servers.undertow(classes, instances);
  }
}
