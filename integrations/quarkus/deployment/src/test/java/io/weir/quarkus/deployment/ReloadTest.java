package io.weir.quarkus.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quarkus.test.QuarkusDevModeTest;
import io.weir.seeds.DeepOnly;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.ServerSocket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.management.ObjectName;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An application in dev mode, which is built and started anew where a source changes. */
@DeepOnly
class ReloadTest {
  private static final int PORT = freePort();

  @RegisterExtension
  static final QuarkusDevModeTest APPLICATION =
      new QuarkusDevModeTest()
          .withApplicationRoot(
              jar ->
                  jar.addClasses(Changing.class)
                      .addAsResource(
                          new StringAsset(
                              "quarkus.http.port="
                                  + PORT
                                  + "\nweir.policy.set.url=/changing/set\nweir.policy.set.limit=1\n"
                                  + "weir.policy.set.window=60\n"),
                          "application.properties"));

  private final Client client = new Client(URI.create("http://localhost:" + PORT));

  private static int freePort() {
    try (ServerSocket free = new ServerSocket(0)) {
      return free.getLocalPort();
    } catch (IOException none) {
      throw new UncheckedIOException(none);
    }
  }

  private List<Integer> statuses(String path, int times) throws Exception {
    List<Integer> statuses = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      statuses.add(client.status(path));
    }
    return statuses;
  }

  /** Returns the number of Weir's threads by their names without numbers. */
  private static Map<String, Integer> threads() {
    Map<String, Integer> found = new TreeMap<>();
    for (Thread each : Thread.getAllStackTraces().keySet()) {
      if (each.getName().startsWith("weir")) {
        found.merge(each.getName().replaceAll("\\d+", ""), 1, Integer::sum);
      }
    }
    return found;
  }

  /** Collects garbage, and returns the number of objects of a class, whose name may be cut. */
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

  @Test
  void limitsChangeAndNothingIsLeft() throws Exception {
    assertEquals(List.of(200, 429), statuses("/changing", 2));
    assertEquals(List.of(200, 429), statuses("/changing/set", 2));
    Map<String, Integer> before = threads();
    APPLICATION.modifySourceFile(Changing.class, text -> text.replace("limit = 1", "limit = 2"));
    APPLICATION.modifyResourceFile(
        "application.properties", text -> text.replace("limit=1", "limit=3"));
    assertEquals(List.of(200, 200, 429), statuses("/changing", 3));
    assertEquals(List.of(200, 200, 200, 429), statuses("/changing/set", 4));
    Waiting.until("the end of the threads", () -> threads().equals(before));
    Waiting.until("the end of the Weir before", () -> instances(".WeirRuntime") == 1);
    Waiting.until("the end of its resources", () -> instances(".RestLimits") == 1);
  }
}
