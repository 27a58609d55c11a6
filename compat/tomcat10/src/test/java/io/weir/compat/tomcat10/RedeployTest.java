package io.weir.compat.tomcat10;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.weir.Weir;
import io.weir.compat.servlet.ServletServer;
import io.weir.compat.servlet.TomcatServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RedeployTest {
  private static final int TIMES = 10;
  private static final long PATIENCE_MILLIS = 5_000;

  private final Loaders loaders = new Loaders();

  @Test
  void redeployingTenTimesLeavesNoThreadAndNoClassLoader(@TempDir Path directory) throws Exception {
    Path webApp = Files.createDirectories(directory.resolve("app"));
    OwnClasses.copyTo(webApp);
    Tomcat tomcat = TomcatServer.tomcat(directory);
    tomcat.getConnector().setProperty("maxThreads", "2");
    tomcat.getConnector().setProperty("minSpareThreads", "2");
    tomcat.start();
    try {
      deployUseAndRemove(tomcat, webApp);
      Set<String> before = threads();
      for (int i = 0; i < TIMES; i++) {
        deployUseAndRemove(tomcat, webApp);
      }
      assertEquals(Set.of(), newThreads(before));
      assertEquals(TIMES + 1, loaders.collected());
    } finally {
      tomcat.stop();
      tomcat.destroy();
    }
  }

  private void deployUseAndRemove(Tomcat tomcat, Path webApp) throws Exception {
    Context context = TomcatServer.deploy(tomcat, webApp);
    ClassLoader loader = context.getLoader().getClassLoader();
    Object weir = context.getServletContext().getAttribute(Weir.class.getName());
    assertNotSame(Weir.class, weir.getClass());
    assertSame(loader, weir.getClass().getClassLoader());
    assertEquals(List.of(200, 200, 200, 200, 200, 429), statuses(tomcat));
    loaders.watch(loader);
    tomcat.getHost().removeChild(context);
    context.destroy();
  }

  private static List<Integer> statuses(Tomcat tomcat) {
    return IntStream.range(0, 6)
        .mapToObj(each -> given().get(address(tomcat)).statusCode())
        .toList();
  }

  private static String address(Tomcat tomcat) {
    int port = tomcat.getConnector().getLocalPort();
    return "http://127.0.0.1:" + port + ServletServer.CONTEXT + "/x";
  }

  /** Ignores the threads of the JDK's common pool. */
  private static Set<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(thread -> thread.getName() + " " + thread.getId())
        .filter(name -> !name.startsWith("ForkJoinPool.commonPool"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Waits a moment for stopped threads to end. */
  private static Set<String> newThreads(Set<String> before) throws InterruptedException {
    for (Thread each : Thread.getAllStackTraces().keySet()) {
      if (!before.contains(each.getName() + " " + each.getId()) && each.isDaemon()) {
        each.join(PATIENCE_MILLIS);
      }
    }
    Set<String> left = threads();
    left.removeAll(before); // which may hold one that was still ending then
    return left;
  }
}
