package io.weir.compat.stacks.resteasy62;

import io.weir.compat.stack.StackMain;
import io.weir.compat.stacks.resteasy.Application;
import java.io.IOException;
import org.jboss.resteasy.plugins.server.netty.NettyJaxrsServer;

/** The application on RESTEasy's Netty. */
@SuppressWarnings({"deprecation", "removal"}) // RESTEasy has no other embedded servers yet
final class NettyMain {
  private NettyMain() {}

  public static void main(String[] args) throws IOException {
    StackMain.run(
        port -> {
          NettyJaxrsServer server = new NettyJaxrsServer();
          server.setHostname("127.0.0.1").setPort(port);
          server.getDeployment().setApplicationClass(Application.class.getName());
          server.getDeployment().start();
          server.start();
          return server::stop;
        });
  }
}
