package io.weir.compat.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests an application that has only a web.xml. */
public interface ServletSetupContract extends ServletServer {
  /** The maximum time until a change of settings applies. */
  int MAX_TRIES = 1_500;

  /** The maximum time until a stopped thread ends. */
  long PATIENCE_MILLIS = 5_000;

  /** A filter and a servlet, with placeholders for parameters. */
  String WEB_XML =
      """
      <context-param>
        <param-name>unrelated</param-name><param-value>yes</param-value>
      </context-param>
      %s
      <filter>
        <filter-name>weir</filter-name>
        <filter-class>io.weir.servlet.RateLimitFilter</filter-class>
        <async-supported>true</async-supported>
        %s
      </filter>
      <filter-mapping>
        <filter-name>weir</filter-name><url-pattern>/*</url-pattern>
      </filter-mapping>
      <servlet>
        <servlet-name>xml</servlet-name>
        <servlet-class>io.weir.compat.servlet.WebXmlServlet</servlet-class>
        <async-supported>true</async-supported>
      </servlet>
      <servlet-mapping>
        <servlet-name>xml</servlet-name><url-pattern>/x</url-pattern>
      </servlet-mapping>
      """;

  @Test
  default void aFilterInWebXmlFindsTheAnnotations() throws Exception {
    assertStatuses(List.of(200, 200, 200, 200, 200, 429), "", "");
  }

  @Test
  default void stoppingTheApplicationForgetsItsCountsAndEndsItsThread() throws Exception {
    assertStatuses(List.of(200, 200, 200, 200, 200, 429), "", "");
    assertNoThreadLeft();
    assertStatuses(List.of(200, 200, 200, 200, 200, 429), "", "");
  }

  @Test
  default void aStartThatFailsEndsItsThreadToo() throws Exception {
    String mistake =
        initParam("weir.default.limit", "1")
            + initParam("weir.default.window", "1s")
            + initParam("weir.default.by", "key")
            + initParam("weir.default.key", "path:tenant");
    assertThrows(Exception.class, () -> start("", mistake));
    assertNoThreadLeft();
  }

  private static void assertNoThreadLeft() throws InterruptedException {
    for (Thread each : Thread.getAllStackTraces().keySet()) {
      if (each.getName().equals("weir")) {
        each.join(PATIENCE_MILLIS);
        assertFalse(each.isAlive());
      }
    }
  }

  @Test
  default void initParametersAreSettings() throws Exception {
    String limit = initParam("weir.policy.from-xml.limit", "2");
    assertStatuses(List.of(200, 200, 429), "", limit);
  }

  @Test
  default void contextParametersAreSettings() throws Exception {
    String limit = contextParam("weir.policy.from-xml.limit", "1");
    assertStatuses(List.of(200, 429), limit, "");
  }

  @Test
  default void aFiltersOwnParameterGoesBeforeTheApplications() throws Exception {
    String outer = contextParam("weir.policy.from-xml.limit", "1");
    assertStatuses(List.of(200, 200, 429), outer, initParam("weir.policy.from-xml.limit", "2"));
  }

  @Test
  default void requestsThatArriveAfterItsWeirWasClosedAreAdmitted() throws Exception {
    try (ServletApp app = ServletApp.on(this).servlet("/x", new Servlets.Hello()).start()) {
      assertEquals(List.of(200, 200, 429), app.statuses(3, "GET", "/x"));
      app.weir().close();
      assertEquals(List.of(200, 200, 200), app.statuses(3, "GET", "/x"));
      assertEquals(Optional.empty(), app.get("/x").header("RateLimit"));
    }
  }

  @Test
  default void switchesEverythingOff() throws Exception {
    String off = initParam("weir.enabled", "false");
    assertStatuses(List.of(200, 200, 200, 200, 200, 200, 200), "", off);
  }

  @Test
  default void aMistakeInWebXmlStopsTheApplication() {
    for (String mistake :
        List.of(
            initParam("phases", "both"),
            initParam("phase", "Both"),
            initParam("weir.polcy.from-xml.limit", "2"),
            initParam("weir.policy.from-xml.limit", "two"))) {
      assertThrows(Exception.class, () -> start("", mistake), mistake);
    }
  }

  @Test
  default void aMistakeInAnAnnotationStopsTheApplication() {
    for (CountingServlet each : List.of(new Servlets.Mistaken(), new Servlets.Decade())) {
      ServletAppBuilder builder = ServletApp.on(this).servlet("/x", each);
      assertThrows(Exception.class, builder::start);
    }
  }

  @Test
  default void aMistakeInADefaultStopsTheApplication() {
    ServletAppBuilder builder =
        ServletApp.on(this)
            .servlet("/x", new Servlets.Free())
            .setting("weir.default.limit", "1")
            .setting("weir.default.window", "10s")
            .setting("weir.default.by", "key")
            .setting("weir.default.key", "path:tenant");
    assertThrows(Exception.class, builder::start);
  }

  @Test
  default void aDefaultLimitsEveryServletWithoutItsOwn() throws Exception {
    ServletAppBuilder builder =
        ServletApp.on(this)
            .servlet("/x", new Servlets.Free())
            .servlet("/y", new Servlets.Hello())
            .setting("weir.default.limit", "1")
            .setting("weir.default.window", "10s");
    try (ServletApp app = builder.start()) {
      assertTrue(app.weir().table().contains("default.Free.service"), app.weir().table());
      assertEquals(List.of(200, 429), app.statuses(2, "GET", "/x"));
      assertEquals(List.of(200, 200, 429), app.statuses(3, "GET", "/y"));
    }
  }

  @Test
  default void aSettingsFileIsFollowedWhileTheApplicationRuns(@TempDir Path directory)
      throws Exception {
    Path file = directory.resolve("weir.properties");
    Files.writeString(file, "weir.policy.from-xml.limit=1\n");
    Running server = start("", initParam("weir.config", file.toString()));
    try (AutoCloseable stop = server.stop()) {
      assertEquals(List.of(200, 429), statuses(server, 2));
      Files.writeString(file, "weir.policy.from-xml.shadow=true\nweir.policy.from-xml.limit=1\n");
      assertTrue(admitsAtLast(server), "still refuses");
      assertEquals(List.of(200, 200), statuses(server, 2));
    }
  }

  private static boolean admitsAtLast(Running server) {
    for (int tries = 0; tries < MAX_TRIES; tries++) {
      if (statuses(server, 1).equals(List.of(200))) {
        return true;
      }
      LockSupport.parkNanos(10_000_000);
    }
    return false;
  }

  private void assertStatuses(List<Integer> expected, String context, String filter)
      throws Exception {
    Running server = start(context, filter);
    try (AutoCloseable stop = server.stop()) {
      assertEquals(expected, statuses(server, expected.size()));
    }
  }

  private Running start(String context, String filter) throws Exception {
    Path directory = WebAppDirectories.webApp(WEB_XML.formatted(context, filter));
    try {
      Running server = start(directory, (types, application) -> {});
      return new Running(
          server.port(),
          () -> {
            server.stop().close();
            WebAppDirectories.delete(directory);
          });
    } catch (Exception failed) {
      WebAppDirectories.delete(directory);
      throw failed;
    }
  }

  private static List<Integer> statuses(Running server, int requests) {
    String request = "GET /app/x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    return IntStream.range(0, requests)
        .mapToObj(each -> RawHttp.send("127.0.0.1", server.port(), request).status())
        .toList();
  }

  private static String initParam(String name, String value) {
    return "<init-param><param-name>%s</param-name><param-value>%s</param-value></init-param>"
        .formatted(name, value);
  }

  private static String contextParam(String name, String value) {
    return "<context-param><param-name>%s</param-name><param-value>%s</param-value></context-param>"
        .formatted(name, value);
  }
}
