package io.weir.quarkus.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.quarkus.test.QuarkusUnitTest;
import io.quarkus.test.common.http.TestHTTPResource;
import io.weir.grpc.GrpcChecks;
import io.weir.grpc.NotThere;
import io.weir.grpc.talk.Checks;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The checks of docs/stacks.md in the terms of gRPC, over loopback; prints how many passed. */
abstract class CheckedServer {
  /**
   * Makes an application.
   *
   * @param separate whether its gRPC has a server of its own
   * @param service answers, with what it needs
   */
  static QuarkusUnitTest application(boolean separate, Class<?>... service) {
    return new QuarkusUnitTest()
        .withApplicationRoot(
            jar ->
                jar.addPackage(Checks.class.getPackage())
                    .addClasses(
                        GrpcChecks.class,
                        NotThere.class,
                        CheckedServer.class,
                        ServerPorts.class,
                        SignIn.class,
                        SignIn.User.class,
                        Translator.class)
                    .addClasses(service))
        .overrideRuntimeConfigKey(
            "quarkus.grpc.server.use-separate-server", Boolean.toString(separate))
        .overrideRuntimeConfigKey("quarkus.grpc.server.test-port", ServerPorts.free())
        .overrideRuntimeConfigKey("weir.proxy.trusted", "127.0.0.1");
  }

  @TestHTTPResource URI base;

  abstract String stack();

  @Test
  void passesTheChecks() throws Exception {
    ManagedChannel channel = ServerPorts.connect(base);
    List<GrpcChecks.Check> all = new GrpcChecks(channel, Status.Code.ABORTED).all();
    List<String> failed = new ArrayList<>();
    for (GrpcChecks.Check each : all) {
      try {
        each.run().execute();
      } catch (Throwable failure) {
        failed.add(each.text() + ": " + failure);
      }
    }
    System.out.printf(
        Locale.ROOT, "%-40s %d of %d passed%n", stack(), all.size() - failed.size(), all.size());
    channel.shutdownNow().awaitTermination(1, TimeUnit.MINUTES);
    assertEquals(List.of(), failed);
  }
}
