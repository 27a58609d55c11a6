package io.weir.compat.stacks.resteasy62;

import io.weir.compat.jaxrs.EventLoopSuite;
import io.weir.compat.jaxrs.server.Server;
import io.weir.seeds.OneDayIn;
import java.util.Map;
import java.util.Set;

@OneDayIn(2)
class VertxEventLoopTest extends EventLoopSuite {
  @Override
  protected Server start(Set<Class<?>> classes, Set<Object> instances) throws Exception {
    return Servers.vertx(classes, instances);
  }

  @Override
  protected Map<String, String> impossible() {
    return Map.of(
        "aQueryThatCannotBeReadIsRefused",
        "RESTEasy on Vert.x never answers targets that are no URI");
  }
}
