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

/** A Tomcat on which one application with classes of its own is deployed again and again. */
final class Redeployment implements AutoCloseable {
  private static final long PATIENCE_MILLIS = 60_000;

  private final Loaders loaders = new Loaders();
  private final Path webApp;
  private final Tomcat tomcat;
  private int times;

  /**
   * Starts it.
   *
   * @param directory for its files
   * @param more classes whose jars the application has beside Weir's
   */
  Redeployment(Path directory, Class<?>... more) throws Exception {
    webApp = Files.createDirectories(directory.resolve("app"));
    OwnClasses.copyTo(webApp, more);
    tomcat = TomcatServer.tomcat(directory);
    tomcat.enableNaming();
    tomcat.getConnector().setProperty("maxThreads", "2");
    tomcat.getConnector().setProperty("minSpareThreads", "2");
    tomcat.start();
  }

  /** Writes the settings of the application. */
  void configure(String settings) throws Exception {
    Path classes = Files.createDirectories(webApp.resolve("WEB-INF/classes"));
    Files.writeString(classes.resolve("weir.properties"), settings);
  }

  /** Adds an element to the application's web.xml. */
  void addToWebXml(String element) throws Exception {
    Path file = webApp.resolve("WEB-INF/web.xml");
    String end = "</web-app>";
    Files.writeString(file, Files.readString(file).replace(end, element + end));
  }

  void deployUseAndRemove() throws Exception {
    Context context = TomcatServer.deploy(tomcat, webApp);
    ClassLoader loader = context.getLoader().getClassLoader();
    Object weir = context.getServletContext().getAttribute(Weir.class.getName());
    assertNotSame(Weir.class, weir.getClass());
    assertSame(loader, weir.getClass().getClassLoader());
    assertEquals(List.of(200, 200, 200, 200, 200, 429), statuses());
    loaders.watch(loader);
    times++;
    tomcat.getHost().removeChild(context);
    context.destroy();
  }

  private List<Integer> statuses() {
    int port = tomcat.getConnector().getLocalPort();
    String address = "http://127.0.0.1:" + port + ServletServer.CONTEXT + "/x";
    return IntStream.range(0, 6).mapToObj(each -> given().get(address).statusCode()).toList();
  }

  static Set<String> threads() {
    return all().stream().map(Redeployment::title).collect(Collectors.toCollection(TreeSet::new));
  }

  /** Ignores the threads of the JDK's common pool. */
  private static List<Thread> all() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(each -> !each.getName().startsWith("ForkJoinPool.commonPool"))
        .toList();
  }

  private static String title(Thread thread) {
    return thread.getName() + " " + thread.getId();
  }

  /** Waits for stopped threads to end. */
  void assertNothingIsLeft(Set<String> threadsBefore) throws Exception {
    assertEquals(times, loaders.collected());
    for (Thread each : all()) {
      if (!threadsBefore.contains(title(each)) && each.isDaemon()) {
        each.join(PATIENCE_MILLIS);
      }
    }
    Set<String> left = threads();
    left.removeAll(threadsBefore); // which may hold one that was still ending then
    assertEquals(Set.of(), left);
  }

  @Override
  public void close() throws Exception {
    tomcat.stop();
    tomcat.destroy();
  }
}
