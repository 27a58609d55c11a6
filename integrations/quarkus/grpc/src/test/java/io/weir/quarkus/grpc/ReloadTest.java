package io.weir.quarkus.grpc;

import static io.grpc.Status.Code.OK;
import static io.grpc.Status.Code.RESOURCE_EXHAUSTED;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.quarkus.test.QuarkusDevModeTest;
import io.weir.grpc.talk.Talk;
import io.weir.seeds.DeepOnly;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.management.ObjectName;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An application in dev mode, whose gRPC server stays while the rest starts anew. */
@DeepOnly
class ReloadTest {
  private static final String PORT = ServerPorts.free();

  @RegisterExtension
  static final QuarkusDevModeTest APPLICATION =
      new QuarkusDevModeTest()
          .withApplicationRoot(
              jar ->
                  jar.addPackage(Talk.class.getPackage())
                      .addClasses(Changing.class)
                      .addAsResource(
                          new StringAsset(
                              "quarkus.grpc.server.port="
                                  + PORT
                                  + "\nquarkus.http.port="
                                  + ServerPorts.free()
                                  + "\n"),
                          "application.properties"));

  /** Collects garbage, and returns the number of objects of a class. */
  private static long instances(String type) throws Exception {
    Object histogram =
        ManagementFactory.getPlatformMBeanServer()
            .invoke(
                new ObjectName("com.sun.management:type=DiagnosticCommand"),
                "gcClassHistogram",
                new Object[] {null},
                new String[] {String[].class.getName()});
    return histogram
        .toString()
        .lines()
        .map(String::strip)
        .filter(each -> each.endsWith(type))
        .mapToLong(each -> Long.parseLong(each.split(" +")[1]))
        .sum();
  }

  private static List<Status.Code> ask(Caller caller, int times) throws Exception {
    List<Status.Code> codes = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      codes.add(caller.ask());
    }
    return codes;
  }

  @Test
  void limitsChangeAndNothingIsLeft() throws Exception {
    ManagedChannel channel = ServerPorts.connect(Integer.parseInt(PORT));
    Caller caller = new Caller(channel, new Metadata());
    assertEquals(List.of(OK, RESOURCE_EXHAUSTED), ask(caller, 2));
    APPLICATION.modifySourceFile(Changing.class, text -> text.replace("limit = 1", "limit = 2"));
    assertEquals(List.of(OK, OK, RESOURCE_EXHAUSTED), ask(caller, 3));
    for (String each : List.of(".WeirRuntime", "quarkus.grpc.GrpcLimits")) {
      long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
      while (instances(each) > 1 && System.nanoTime() < end) {
        Thread.onSpinWait();
      }
      assertEquals(1, instances(each), each);
    }
    channel.shutdownNow().awaitTermination(1, TimeUnit.MINUTES);
  }
}
