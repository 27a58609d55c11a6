package io.weir.compat.stacks.resteasy62;

import io.weir.compat.jaxrs.JaxrsSuite;
import io.weir.compat.jaxrs.LifeTests;
import io.weir.compat.jaxrs.SwitchTests;
import io.weir.compat.jaxrs.ThreadTests;
import io.weir.compat.jaxrs.server.Server;
import io.weir.seeds.DeepOnly;
import java.util.Set;

@DeepOnly
class UndertowSuiteTest extends JaxrsSuite implements ThreadTests, SwitchTests, LifeTests {
  @Override
  protected Server start(Set<Class<?>> classes, Set<Object> instances) throws Exception {
    return Servers.undertow(classes, instances);
  }
}
