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
  private static final String OTHER_THREADS =
      "RESTEasy writes bodies that may block in threads of its own, and refuses interceptors there";

  private static final String BODIES =
      "the end of a body isn't seen on an event loop, so requests count by the status";

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
    return Map.ofEntries(
        Map.entry("whatStreamsKnowsItsCaller", OTHER_THREADS),
        Map.entry("aThreadThatJerseyManagesKnowsItsCallerAndWhatWasCharged", OTHER_THREADS),
        Map.entry("whatFailsAfterItWasResumedIsAFailure", "RESTEasy writes every object as text"),
        Map.entry("whatFailsWhileItsBodyIsWrittenIsAFailure", BODIES),
        Map.entry("whatFailsWhileItsBodyIsWrittenIsNoSuccess", BODIES),
        Map.entry(
            "aMethodTakesTheLimitOfTheInterfaceUnlessItHasOne",
            "RESTEasy shows only the interface if that has the path"));
  }

  @Override
  protected Map<String, String> harmful() {
    return Map.of(
        "whoHangsUpHasHadASuccess",
        "a body without end fills the memory: its writer keeps the event loop from sending any");
  }
}
