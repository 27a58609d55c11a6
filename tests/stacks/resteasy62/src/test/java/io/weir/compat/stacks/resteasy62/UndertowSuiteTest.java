package io.weir.compat.stacks.resteasy62;

import io.weir.compat.jaxrs.JaxrsSuite;
import io.weir.compat.jaxrs.LifeTests;
import io.weir.compat.jaxrs.SwitchTests;
import io.weir.compat.jaxrs.ThreadTests;
import io.weir.compat.jaxrs.server.Server;
import io.weir.seeds.DeepOnly;
import java.util.Map;
import java.util.Set;

@DeepOnly
class UndertowSuiteTest extends JaxrsSuite implements ThreadTests, SwitchTests, LifeTests {
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
        "blanksAndTabsAroundAHeaderAreNoPartOfIt",
        "Undertow reads a tab within a header field as a blank",
        "whatFailsAfterItWasResumedIsAFailure",
        "RESTEasy writes every object as text",
        "aMethodTakesTheLimitOfTheInterfaceUnlessItHasOne",
        "RESTEasy shows only the interface if that has the path",
        "theLastApplicationThatStopsClosesTheWeirMadeForIt",
        "RESTEasy's own Undertow runs no initializers: Weir is closed when the next application starts");
  }
}
