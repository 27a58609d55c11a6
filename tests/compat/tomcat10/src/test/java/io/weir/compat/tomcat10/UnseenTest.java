package io.weir.compat.tomcat10;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Weir;
import io.weir.compat.servlet.TomcatServer;
import io.weir.servlet.RateLimitFilter;
import jakarta.servlet.Filter;
import jakarta.servlet.Servlet;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleState;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests servlets whose classes can't be found or read. */
class UnseenTest {
  private static final Logger LOG = Logger.getLogger("io.weir");

  /** Disables Tomcat's own search for annotations, which would fail. */
  private static final String WEB_XML =
      """
      <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0" metadata-complete="true">
      </web-app>
      """;

  @TempDir Path directory;
  private final ClassLoader before = Thread.currentThread().getContextClassLoader();
  private final List<String> warnings = new CopyOnWriteArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord entry) {
          if (entry.getLevel().equals(Level.WARNING)) {
            warnings.add(entry.getMessage());
          }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() {
    LOG.addHandler(handler);
  }

  @AfterEach
  void leave() {
    LOG.removeHandler(handler);
    Thread.currentThread().setContextClassLoader(before);
  }

  @Test
  void anEmbeddedServerLimitsWhatIsNotOnTheSystemClassPath() throws Exception {
    try (URLClassLoader own = compiled(Compiled.limited(2))) {
      Thread.currentThread().setContextClassLoader(own);
      assertEquals(List.of(200, 200, 429), embedded(own, new RateLimitFilter()));
      assertEquals(List.of(), warnings);
    }
  }

  @Test
  void alsoByAWeirThatWasMadeThere() throws Exception {
    try (URLClassLoader own = compiled(Compiled.limited(2))) {
      Thread.currentThread().setContextClassLoader(own);
      try (Weir weir = Weir.builder().build()) {
        Thread.currentThread().setContextClassLoader(before);
        assertEquals(List.of(200, 200, 429), embedded(own, new RateLimitFilter(weir)));
      }
      assertEquals(List.of(), warnings);
    }
  }

  @Test
  void whoseClassCannotBeSeenIsNamedInAWarning() throws Exception {
    try (URLClassLoader own = compiled(Compiled.limited(2));
        Weir weir = Weir.builder().build()) {
      assertEquals(List.of(200, 200, 200), embedded(own, new RateLimitFilter(weir)));
      assertEquals(1, warnings.size(), warnings::toString);
      assertTrue(warnings.get(0).contains("app.Limited"), warnings.get(0));
    }
  }

  @Test
  void aServletThatCannotBeReadIsLimitedByItsClassAndStopsNobody() throws Exception {
    Path webApp = Files.createDirectories(directory.resolve("app"));
    Path classes = webApp.resolve("WEB-INF/classes");
    Compiled.into(classes, Compiled.limited(1));
    String others = "@RateLimit(limit = 2, window = 3600)";
    String optional = "public void maybe(gone.Missing any) {}";
    Compiled.into(
        classes,
        Map.of(
            "app.Others",
            Compiled.SERVLET.formatted(others, "Others", "", optional),
            "gone.Missing",
            "package gone; public class Missing {}"));
    Files.delete(classes.resolve("gone/Missing.class"));
    Files.writeString(webApp.resolve("WEB-INF/web.xml"), WEB_XML);
    Tomcat tomcat = TomcatServer.tomcat(directory);
    tomcat.start();
    try {
      Context context =
          TomcatServer.deploy(
              tomcat,
              "",
              webApp,
              (types, application) -> {
                application.addServlet("limited", "app.Limited").addMapping("/limited");
                application.addServlet("others", "app.Others").addMapping("/others");
                application
                    .addFilter("weir", RateLimitFilter.class)
                    .addMappingForUrlPatterns(null, true, "/*");
              });
      assertEquals(LifecycleState.STARTED, context.getState());
      assertEquals(List.of(200, 429), statuses(tomcat, "/limited", 2));
      assertEquals(List.of(200, 200, 429), statuses(tomcat, "/others", 3));
      assertEquals(1, warnings.size(), warnings::toString);
      assertTrue(warnings.get(0).contains("app.Others"), warnings.get(0));
      assertTrue(warnings.get(0).contains("gone/Missing"), warnings.get(0));
    } finally {
      tomcat.stop();
      tomcat.destroy();
    }
  }

  private URLClassLoader compiled(Map<String, String> sources) throws Exception {
    Path classes = directory.resolve("own");
    Compiled.into(classes, sources);
    return new URLClassLoader(new URL[] {classes.toUri().toURL()}, before);
  }

  private List<Integer> embedded(ClassLoader own, RateLimitFilter filter) throws Exception {
    Servlet servlet = (Servlet) own.loadClass("app.Limited").getDeclaredConstructor().newInstance();
    Tomcat tomcat = TomcatServer.tomcat(directory);
    Context context = tomcat.addContext("", directory.toString());
    Tomcat.addServlet(context, "limited", servlet).addMapping("/limited");
    add(context, filter);
    tomcat.start();
    try {
      assertEquals(LifecycleState.STARTED, context.getState());
      return statuses(tomcat, "/limited", 3);
    } finally {
      tomcat.stop();
      tomcat.destroy();
    }
  }

  private static void add(Context context, Filter filter) {
    FilterDef definition = new FilterDef();
    definition.setFilterName("weir");
    definition.setFilter(filter);
    context.addFilterDef(definition);
    FilterMap map = new FilterMap();
    map.setFilterName("weir");
    map.addURLPattern("/*");
    context.addFilterMap(map);
  }

  private static List<Integer> statuses(Tomcat tomcat, String path, int requests) {
    String address = "http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + path;
    return IntStream.range(0, requests)
        .mapToObj(each -> given().get(address).statusCode())
        .toList();
  }
}
