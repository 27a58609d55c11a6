package io.weir.compat.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.RateLimit;
import io.weir.jaxrs.RateLimitFeature;
import io.weir.servlet.RateLimitFilter;
import io.weir.servlet.WeirInitializer;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.ws.rs.GET;
import java.io.IOException;
import java.io.Serial;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.servlet.ServletContainer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.chrome.ChromeDriver;

/**
 * Tests that a page of another origin sees a refusal and its time where the pages say where CORS
 * belongs, as they stand, and that its browser's preflights cost nothing.
 */
@NeedsChromium
class CrossOriginTest {
  private static final Path DOCS = Path.of("..", "..", "..", "docs");

  /** The page of another origin; its server is on this machine. */
  private static final String ORIGIN = "https://shop.example";

  /** A content type that no form can send, so that the browser asks first. */
  private static final String FETCH =
      "const done = arguments[arguments.length - 1];"
          + " fetch(arguments[0], {headers: {'Content-Type': 'application/json'}})"
          + ".then(r => done([r.status, r.headers.get('Retry-After'), r.headers.get('RateLimit')]"
          + ".join(' ')), e => done(e.name));";

  private final Tomcat tomcat = new Tomcat();
  private final Tomcat page = new Tomcat();
  private final ChromeDriver browser = Browsers.take();

  /** Has a limit of two per minute. */
  private static final class Search extends HttpServlet {
    @Serial private static final long serialVersionUID = 1;

    @Override
    @RateLimit(limit = 2, window = 60)
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      response.getWriter().write("found");
    }
  }

  /** Has the same limit. */
  @jakarta.ws.rs.Path("search")
  public static final class SearchResource {
    /** Answers. */
    @GET
    @RateLimit(limit = 2, window = 60)
    public String find() {
      return "found";
    }
  }

  /** An empty page. */
  private static final class Empty extends HttpServlet {
    @Serial private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      response.setContentType("text/html;charset=UTF-8");
      response.getWriter().write("<!doctype html><title>Shop</title>");
    }
  }

  @BeforeEach
  void openPage() {
    start(page, servlets -> servlets.addServlet("empty", new Empty()).addMapping("/*"));
  }

  @AfterEach
  void stop() throws LifecycleException {
    Browsers.clear(browser);
    Browsers.giveBack(browser);
    tomcat.stop();
    tomcat.destroy();
    page.stop();
    page.destroy();
  }

  @Test
  void aPageSeesTheRefusalOfAServletBehindTheFilterForCors() throws IOException {
    Map<String, String> parameters = documentedParameters();
    start(
        tomcat,
        servlets -> {
          add(servlets, "cors", new org.apache.catalina.filters.CorsFilter())
              .setInitParameters(parameters);
          add(servlets, "limits", new RateLimitFilter());
          servlets.addServlet("search", new Search()).addMapping("/search");
        });
    assertSeen();
  }

  @Test
  void aPageSeesNoRefusalBeforeTheFilterForCorsAndItsPreflightsAreFree() throws IOException {
    Map<String, String> parameters = documentedParameters();
    start(
        tomcat,
        servlets -> {
          add(servlets, "limits", new RateLimitFilter());
          add(servlets, "cors", new org.apache.catalina.filters.CorsFilter())
              .setInitParameters(parameters);
          servlets.addServlet("search", new Search()).addMapping("/search");
        });
    assertEquals(200, status(fetch()));
    assertEquals(200, status(fetch()));
    assertEquals("TypeError", fetch(), "the refusal doesn't say who may read it");
  }

  @Test
  void aPageSeesTheRefusalOfAResourceBesideAFilterForCors() throws IOException {
    String source =
        Files.readString(Path.of("src/test/java/io/weir/compat/console/CorsFilter.java"));
    assertTrue(
        tight(Files.readString(DOCS.resolve("jaxrs.md")))
            .contains(tight(source.substring(source.indexOf("@PreMatching")))),
        "docs/jaxrs.md shows another filter");
    start(
        tomcat,
        servlets -> {
          ResourceConfig resources =
              new ResourceConfig(SearchResource.class, RateLimitFeature.class)
                  .register(new CorsFilter(url(page)));
          servlets.addServlet("rest", new ServletContainer(resources)).addMapping("/*");
        });
    assertSeen();
  }

  /** Leaves out white space: lines of the page are shorter than those of the formatter. */
  private static String tight(String java) {
    return java.replaceAll("\\s", "");
  }

  private void assertSeen() {
    assertEquals(200, status(fetch()));
    assertEquals(200, status(fetch()));
    String refused = fetch();
    assertEquals(429, status(refused));
    List<String> seen = List.of(refused.split(" ", 3));
    assertTrue(Integer.parseInt(seen.get(1)) > 0, refused);
    assertTrue(seen.get(2).contains("r=0"), refused);
  }

  private static int status(String seen) {
    return Integer.parseInt(seen.split(" ")[0]);
  }

  /** Sends a request by a script of the page. */
  private String fetch() {
    browser.get(url(page));
    return (String) browser.executeAsyncScript(FETCH, url(tomcat) + "/search");
  }

  /**
   * Returns the parameters of the documented filter, for the page's server in place of the shop.
   */
  private Map<String, String> documentedParameters() throws IOException {
    Matcher matcher =
        Pattern.compile(
                "<param-name>(cors[^<]+)</param-name>\\s*<param-value>([^<]*)</param-value>")
            .matcher(Files.readString(DOCS.resolve("servlets.md")));
    Map<String, String> parameters = new TreeMap<>();
    while (matcher.find()) {
      parameters.put(matcher.group(1), matcher.group(2).replace(ORIGIN, url(page)));
    }
    assertTrue(parameters.size() > 1, parameters::toString);
    return parameters;
  }

  private static FilterRegistration.Dynamic add(
      ServletContext servlets, String name, Filter filter) {
    FilterRegistration.Dynamic added = servlets.addFilter(name, filter);
    added.addMappingForUrlPatterns(EnumSet.allOf(DispatcherType.class), true, "/*");
    added.setAsyncSupported(true);
    return added;
  }

  private static void start(Tomcat tomcat, Consumer<ServletContext> install) {
    tomcat.setBaseDir(Path.of("target", "tomcat").toAbsolutePath().toString());
    tomcat.setPort(0);
    tomcat.getConnector().setProperty("address", "127.0.0.1");
    Context context = tomcat.addContext("", null);
    context.addServletContainerInitializer(
        (types, servlets) -> {
          install.accept(servlets);
          new WeirInitializer().onStartup(Set.of(), servlets);
        },
        Set.of());
    try {
      tomcat.start();
    } catch (LifecycleException failed) {
      throw new IllegalStateException(failed);
    }
  }

  private static String url(Tomcat tomcat) {
    return "http://127.0.0.1:" + tomcat.getConnector().getLocalPort();
  }
}
