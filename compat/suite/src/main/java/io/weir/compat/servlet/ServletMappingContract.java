package io.weir.compat.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.servlet.WeirInitializer;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
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
    Path directory = Directories.webApp(webXml);
    try (Warnings warnings = new Warnings();
        AutoCloseable server = start(directory, new WeirInitializer()).stop()) {
      return warnings.of("RateLimitFilter", level);
    } finally {
      Directories.delete(directory);
    }
  }

  /** Collects the warnings meanwhile. */
  final class Warnings extends Handler implements AutoCloseable {
    private final Logger log = Logger.getLogger("io.weir.servlet");
    private final List<LogRecord> records = new CopyOnWriteArrayList<>();

    Warnings() {
      log.addHandler(this);
    }

    List<String> of(String subject, Level level) {
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
