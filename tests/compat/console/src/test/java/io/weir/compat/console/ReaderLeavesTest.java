package io.weir.compat.console;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests that pages that are closed, as all are in the end, leave nothing in the log. */
@NeedsChromium
@ExtendWith(SharedConsole.class)
class ReaderLeavesTest {
  /** Keeps what is logged with an exception, or as a warning. */
  private static final class Recorder extends Handler {
    final List<String> said = new CopyOnWriteArrayList<>();

    @Override
    public void publish(LogRecord record) {
      if (record.getThrown() != null || record.getLevel().intValue() >= Level.WARNING.intValue()) {
        said.add(record.getLoggerName() + ": " + record.getMessage() + " " + record.getThrown());
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @Test
  void aPageThatIsClosedLeavesNoStackTraceInTheLog() {
    Logger root = Logger.getLogger("");
    Recorder recorder = new Recorder();
    ConsoleServer server = SharedConsole.server();
    long rule = server.rule("free", "/api/" + SharedConsole.unique("left"), 5, "ENFORCED");
    String policy = server.get("/rules/" + rule).path("name").asText();
    Browser browser = SharedConsole.administrator("/");
    browser.awaitText("#side .live", "Live: 1 node");
    Await.until("the stream is read", () -> streams() > 0);
    root.addHandler(recorder);
    try {
      SharedConsole.leave();
      // Each event is written to those who read; the first ones only fill the buffers of the
      // connection.
      Await.until(
          "the server finds out that its readers have gone",
          () -> {
            server.put(
                "PUT",
                ConsoleServer.ADMIN + "/switches/" + policy,
                "{\"state\": \"SHADOW\", \"reason\": \"of the test\", \"until\": \""
                    + Instant.now().plusSeconds(60)
                    + "\"}");
            return streams() == 0;
          });
      assertEquals(List.of(), recorder.said);
    } finally {
      root.removeHandler(recorder);
      server.send("DELETE", ConsoleServer.ADMIN + "/switches/" + policy, "");
    }
  }

  /** How many threads write events. */
  private static long streams() {
    return Thread.getAllStackTraces().values().stream()
        .filter(
            stack ->
                Arrays.stream(stack)
                    .anyMatch(frame -> frame.getClassName().endsWith("EventStreamWriter")))
        .count();
  }
}
