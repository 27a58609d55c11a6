package io.weir.compat.tomcat10;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Weir;
import io.weir.compat.servlet.ServletServer;
import io.weir.compat.servlet.TomcatServer;
import io.weir.servlet.RateLimitFilter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleState;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests web applications that start and stop while a Weir of main() stays open. */
class BelowTest {
  private static final String WEB_XML =
      """
      <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0" metadata-complete="true">
        <servlet>
          <servlet-name>limited</servlet-name>
          <servlet-class>app.Limited</servlet-class>
        </servlet>
        <servlet-mapping>
          <servlet-name>limited</servlet-name><url-pattern>/x</url-pattern>
        </servlet-mapping>
      </web-app>
      """;

  @TempDir Path directory;
  private final Loaders loaders = new Loaders();

  @Test
  void redeployingBelowAnInstalledWeirKeepsItsCountsAndLeavesNoClassLoader() throws Exception {
    try (Weir installed = Weir.builder().build().install()) {
      assertComeAndGo(installed, RateLimitFilter::new);
    }
  }

  @Test
  void redeployingBelowAWeirThatIsGivenByHandDoesToo() throws Exception {
    try (Weir given = Weir.builder().build()) {
      assertComeAndGo(given, () -> new RateLimitFilter(given));
    }
  }

  private void assertComeAndGo(Weir weir, Supplier<RateLimitFilter> filter) throws Exception {
    Tomcat tomcat = TomcatServer.tomcat(directory);
    tomcat.start();
    try {
      assertEquals(List.of(200, 200, 429), deployAndAsk(tomcat, weir, filter, "one", 2));
      assertEquals(List.of(429, 429, 429), deployAndAsk(tomcat, weir, filter, "two", 2));
      assertEquals(List.of(200, 200, 429), deployAndAsk(tomcat, weir, filter, "three", 4));
      assertEquals(3, loaders.collected());
    } finally {
      tomcat.stop();
      tomcat.destroy();
    }
  }

  /** Two applications that run at once, with classes of one origin, share a limit. */
  @Test
  void theSameApplicationTwiceSharesItsBuckets() throws Exception {
    Tomcat tomcat = TomcatServer.tomcat(directory);
    tomcat.start();
    try (Weir weir = Weir.builder().build()) {
      Context one = deploy(tomcat, () -> new RateLimitFilter(weir), "/one", "one", 2);
      Context two = deploy(tomcat, () -> new RateLimitFilter(weir), "/two", "two", 2);
      assertEquals(List.of(200), statuses(tomcat, "/one", 1));
      remove(tomcat, one);
      assertEquals(List.of(200, 429), statuses(tomcat, "/two", 2));
      remove(tomcat, two);
      assertFalse(weir.table().contains("Limited"), weir::table);
      assertEquals(2, loaders.collected());
    } finally {
      tomcat.stop();
      tomcat.destroy();
    }
  }

  private List<Integer> deployAndAsk(
      Tomcat tomcat, Weir weir, Supplier<RateLimitFilter> filter, String name, int limit)
      throws Exception {
    Context context = deploy(tomcat, filter, ServletServer.CONTEXT, name, limit);
    assertTrue(weir.table().contains(limit + " per 1h"), weir::table);
    List<Integer> statuses = statuses(tomcat, ServletServer.CONTEXT, 3);
    remove(tomcat, context);
    return statuses;
  }

  private Context deploy(
      Tomcat tomcat, Supplier<RateLimitFilter> filter, String path, String name, int limit)
      throws Exception {
    Path webApp = Files.createDirectories(directory.resolve(name));
    Path inside = Files.createDirectories(webApp.resolve("WEB-INF"));
    Files.writeString(inside.resolve("web.xml"), WEB_XML);
    Compiled.into(inside.resolve("classes"), Compiled.limited(limit));
    ServletContainerInitializer filtered = (types, application) -> add(application, filter.get());
    Context context = TomcatServer.deploy(tomcat, path, webApp, filtered);
    assertEquals(LifecycleState.STARTED, context.getState());
    loaders.watch(context.getLoader().getClassLoader());
    return context;
  }

  private static void add(ServletContext application, RateLimitFilter filter) {
    application
        .addFilter("weir", filter)
        .addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), true, "/*");
  }

  private static void remove(Tomcat tomcat, Context context) throws Exception {
    tomcat.getHost().removeChild(context);
    context.destroy();
  }

  private static List<Integer> statuses(Tomcat tomcat, String path, int requests) {
    int port = tomcat.getConnector().getLocalPort();
    String address = "http://127.0.0.1:" + port + path + "/x";
    return IntStream.range(0, requests)
        .mapToObj(each -> given().get(address).statusCode())
        .toList();
  }
}
