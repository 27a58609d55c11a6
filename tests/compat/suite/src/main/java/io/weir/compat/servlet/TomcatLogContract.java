package io.weir.compat.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Test;

/** Tests that refused callers can't fill Tomcat's log. */
public interface TomcatLogContract extends TomcatServer {
  /** Tomcat logs all exceptions of includes. */
  @Test
  default void aRefusedIncludeIsTwoLinesOfLogAndNoStackTrace() throws Exception {
    List<String> lines = new CopyOnWriteArrayList<>();
    Handler handler = listening(lines);
    LOG.addHandler(handler);
    try (ServletApp app =
        ServletApp.on(this)
            .servlet("/front", new Dispatching.Front())
            .servlet(Dispatching.TARGET, new Dispatching.Target())
            .start()) {
      assertEquals(List.of(200, 200), app.statuses(2, "GET", "/front?include"));
      assertEquals(List.of(), lines);
      assertEquals(List.of(429, 429), app.statuses(2, "GET", "/front?include"));
    } finally {
      LOG.removeHandler(handler);
    }
    assertEquals(2, lines.size());
    for (String line : lines) {
      assertTrue(line.contains("RateLimitExceededException: refused by target"), line);
      assertTrue(line.length() < 600, line);
    }
  }

  private static Handler listening(List<String> lines) {
    Formatter formatter = new SimpleFormatter();
    return new Handler() {
      @Override
      public void publish(LogRecord line) {
        lines.add(formatter.format(line));
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
  }
}
