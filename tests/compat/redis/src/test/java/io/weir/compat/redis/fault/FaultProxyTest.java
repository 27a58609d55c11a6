package io.weir.compat.redis.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.compat.redis.Distance;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class FaultProxyTest {
  /** Whatever is in between accepts the connection, and then ends it. */
  @Test
  void seesThatAServerFartherAwayIsDown() throws IOException {
    InetAddress here = InetAddress.getLoopbackAddress();
    ServerSocket down = new ServerSocket(0, 1, here);
    down.close();
    try (Distance distance = new Distance(down.getLocalPort(), Duration.ofMillis(2));
        FaultProxy proxy = FaultProxy.beforePostgres(distance.port())) {
      proxy.watch("");
      try (Socket caller = new Socket(here, proxy.port())) {
        assertEquals(-1, caller.getInputStream().read());
      }
      assertEquals(1, proxy.seen());
    }
  }
}
