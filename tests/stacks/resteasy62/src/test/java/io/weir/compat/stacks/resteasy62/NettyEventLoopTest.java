package io.weir.compat.stacks.resteasy62;

import io.weir.compat.jaxrs.EventLoopSuite;
import io.weir.compat.jaxrs.server.Server;
import java.util.Set;

class NettyEventLoopTest extends EventLoopSuite {
  @Override
  protected Server start(Set<Class<?>> classes, Set<Object> instances) throws Exception {
    return Servers.netty(classes, instances);
  }
}
