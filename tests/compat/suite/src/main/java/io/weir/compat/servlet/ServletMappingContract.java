package io.weir.compat.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Weir;
import io.weir.adapter.Adapter;
import io.weir.adapter.AdapterOptions;
import io.weir.adapter.EndpointType;
import io.weir.annotation.RateLimit;
import io.weir.servlet.WeirInitializer;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.http.HttpServlet;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** Tests what is logged at the start about requests and dispatches that bypass the filter. */
public interface ServletMappingContract extends ServletServer {
  /** A filter, with placeholders for its mapping and more. */
  String LIMITS =
      """
      <filter>
        <filter-name>limits</filter-name>
        <filter-class>io.weir.servlet.RateLimitFilter</filter-class>
        <async-supported>true</async-supported>
      </filter>
      <filter-mapping>
        <filter-name>limits</filter-name><url-pattern>/*</url-pattern>%s
      </filter-mapping>
      %s
      """;

  /** A limited servlet that gets no filter of its own. */
  String LATE =
      "<listener><listener-class>io.weir.compat.servlet.LateServlet</listener-class></listener>";

  /** A limited servlet in web.xml. */
  String EARLY =
      """
      <servlet>
        <servlet-name>xml</servlet-name>
        <servlet-class>io.weir.compat.servlet.WebXmlServlet</servlet-class>
      </servlet>
      <servlet-mapping>
        <servlet-name>xml</servlet-name><url-pattern>/x</url-pattern>
      </servlet-mapping>
      """;

  @Test
  default void warnsWhereDispatchesToALimitedServletAreNotMapped() throws Exception {
    List<String> warnings = warnings("", LATE);
    assertEquals(1, warnings.size(), warnings::toString);
    assertTrue(warnings.get(0).contains("[FORWARD, INCLUDE, ASYNC]"), warnings::toString);
    assertTrue(warnings.get(0).contains("[late]"), warnings::toString);
    String some = mapped("REQUEST", "FORWARD", "ASYNC");
    assertTrue(warnings(some, LATE).get(0).contains(" [INCLUDE] "));
  }

  @Test
  default void warnsOfNothingWhereAllDispatchesAreMapped() throws Exception {
    String all = mapped("REQUEST", "FORWARD", "INCLUDE", "ASYNC", "ERROR");
    assertEquals(List.of(), warnings(all, LATE));
  }

  @Test
  default void warnsOfNothingWhereASecondMappingHasTheRest() throws Exception {
    String rest =
        "<filter-mapping><filter-name> limits </filter-name><servlet-name>late</servlet-name>"
            + mapped("FORWARD", "INCLUDE", "ASYNC")
            + "</filter-mapping>";
    assertEquals(List.of(), warnings("", LATE + rest));
  }

  @Test
  default void warnsOfNothingWhereNothingIsLimitedOrSeenInAnyCase() throws Exception {
    assertEquals(List.of(), warnings("", ""));
    assertEquals(List.of(), warnings("", EARLY));
  }

  @Test
  default void warnsWhereDispatchesPassOnlyTheFilterBeforeTheSignIn() throws Exception {
    String all = mapped("REQUEST", "FORWARD", "INCLUDE", "ASYNC");
    String before = phase("before", all);
    List<String> warnings = warningsOf(before + phase("after", mapped("REQUEST")) + LATE);
    assertEquals(1, warnings.size(), warnings::toString);
    assertTrue(warnings.get(0).contains("[FORWARD, INCLUDE, ASYNC]"), warnings::toString);
    assertEquals(List.of(), warningsOf(before + phase("after", all) + LATE));
  }

  @Test
  default void namesTheServletsWithAnnotationsThatNoFilterIsMappedTo() throws Exception {
    String elsewhere = LIMITS.formatted("", EARLY).replace("/*", "/elsewhere/*");
    for (String webXml : List.of(EARLY, EARLY + LATE, elsewhere)) {
      List<String> errors = messages(webXml, Level.SEVERE);
      assertEquals(1, errors.size(), errors::toString);
      assertTrue(errors.get(0).contains(webXml.contains(LATE) ? "[late, xml]" : "[xml]"));
      assertTrue(errors.get(0).contains("Map one to /*"), errors::toString);
    }
    assertEquals(List.of(), messages(LIMITS.formatted("", EARLY), Level.SEVERE));
    assertEquals(List.of(), messages("", Level.SEVERE));
  }

  /** As a container passes the classes with annotations that it finds in a war. */
  @Test
  default void namesTheClassesWithAnnotationsThatNothingLimits() throws Exception {
    List<String> errors = errors((types, context) -> {});
    assertEquals(1, errors.size(), errors::toString);
    String expected = "The annotations of " + Controller.class.getName() + " limit nothing";
    assertTrue(errors.get(0).startsWith(expected), errors::toString);
  }

  @Test
  default void namesNoClassThatAnotherAdapterHasRead() throws Exception {
    assertEquals(
        List.of(),
        errors(
            (types, context) ->
                context.addServlet("framework", new Framework()).setLoadOnStartup(1)));
  }

  private List<String> errors(ServletContainerInitializer framework) throws Exception {
    Set<Class<?>> annotated = Set.of(Controller.class, WebXmlServlet.class, ControllerApi.class);
    Path directory = WebAppDirectories.webApp(LIMITS.formatted("", EARLY));
    try (Warnings warnings = new Warnings();
        AutoCloseable server =
            start(
                    directory,
                    (types, context) -> {
                      new WeirInitializer().onStartup(annotated, context);
                      framework.onStartup(types, context);
                    })
                .stop()) {
      return warnings.of("", Level.SEVERE);
    } finally {
      WebAppDirectories.delete(directory);
    }
  }

  /** Handles requests for a framework that Weir doesn't know. */
  final class Controller implements ControllerApi {
    @RateLimit(limit = 1, window = 60)
    @Override
    public void handle() {}
  }

  /** Serves no requests itself. */
  interface ControllerApi {
    /** Handles a request. */
    @RateLimit(limit = 1, window = 60)
    void handle();
  }

  /** Starts as a framework with an adapter of its own does, after all filters. */
  final class Framework extends HttpServlet {
    private static final long serialVersionUID = 1;
    private transient Optional<Adapter> adapter = Optional.empty();

    @Override
    public void init() {
      Adapter opened = Weir.adapter(AdapterOptions.defaults());
      opened.check(
          List.of(Controller.class),
          new EndpointType("FRAMEWORK", false, false, false, method -> Optional.empty()));
      adapter = Optional.of(opened);
    }

    @Override
    public void destroy() {
      adapter.ifPresent(Adapter::close);
    }
  }

  private static String phase(String phase, String dispatchers) {
    return LIMITS
        .formatted(dispatchers, "")
        .replace("limits", phase)
        .replace(
            "</async-supported>",
            "</async-supported><init-param><param-name>phase</param-name><param-value>"
                + phase
                + "</param-value></init-param>");
  }

  private static String mapped(String... dispatchers) {
    return "<dispatcher>" + String.join("</dispatcher><dispatcher>", dispatchers) + "</dispatcher>";
  }

  private List<String> warnings(String dispatchers, String more) throws Exception {
    return warningsOf(LIMITS.formatted(dispatchers, more));
  }

  private List<String> warningsOf(String webXml) throws Exception {
    return messages(webXml, Level.WARNING);
  }

  private List<String> messages(String webXml, Level level) throws Exception {
    Path directory = WebAppDirectories.webApp(webXml);
    try (Warnings warnings = new Warnings();
        AutoCloseable server = start(directory, new WeirInitializer()).stop()) {
      return warnings.of("RateLimitFilter", level);
    } finally {
      WebAppDirectories.delete(directory);
    }
  }

  /** Collects the warnings meanwhile. */
  final class Warnings extends Handler implements AutoCloseable {
    private final Logger log = Logger.getLogger("io.weir.servlet");
    private final List<LogRecord> records = new CopyOnWriteArrayList<>();

    /** Begins. */
    public Warnings() {
      log.addHandler(this);
    }

    /**
     * Returns messages.
     *
     * @param subject occurs in them
     * @param level their level
     * @return in the order in which they were logged
     */
    public List<String> of(String subject, Level level) {
      return records.stream()
          .filter(each -> each.getLevel().equals(level))
          .map(LogRecord::getMessage)
          .filter(Objects::nonNull)
          .filter(each -> each.contains(subject))
          .toList();
    }

    @Override
    public void publish(LogRecord line) {
      records.add(line);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
      log.removeHandler(this);
    }
  }
}
