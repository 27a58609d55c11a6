package io.weir.spring.server;

import java.io.IOException;
import java.util.List;

/** Starts an application as it runs in a pod, and prints whom it counts. */
public final class KubernetesMain {
  private KubernetesMain() {}

  /** Serves a few requests, whose callers claim to be others. */
  public static void main(String[] arguments) throws IOException {
    TomcatAddressTest tomcat = new TomcatAddressTest();
    try (AddressServer server =
        AddressServer.start(tomcat.type(), tomcat.factory(), tomcat.application(), List.of())) {
      for (String path : tomcat.limited()) {
        AddressContract.requireConnectionsAddress(server, path);
        AddressContract.requireProxysCallers(server, path);
      }
      System.out.println("redirect " + AddressContract.redirect(server));
    }
    System.exit(0);
  }
}
