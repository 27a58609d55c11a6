package io.weir.test.log;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Captures what Weir logs, until it is closed: each line with its level and the exception that it
 * reports. Keeps the lines out of the output of the tests.
 */
public final class LogLines extends Handler implements AutoCloseable {
  private final Logger logger;
  private final List<String> lines = new CopyOnWriteArrayList<>();

  public LogLines() {
    this("io.weir");
  }

  public LogLines(Class<?> type) {
    this(type.getName());
  }

  /** Captures the lines of one logger and of those below it. */
  public LogLines(String name) {
    this.logger = Logger.getLogger(name);
    logger.setUseParentHandlers(false);
    logger.addHandler(this);
  }

  public List<String> lines() {
    return List.copyOf(lines);
  }

  public List<String> containing(String part) {
    return lines.stream().filter(line -> line.contains(part)).toList();
  }

  @Override
  public void publish(LogRecord entry) {
    String exception = entry.getThrown() == null ? "" : " " + entry.getThrown();
    lines.add(entry.getLevel() + " " + entry.getMessage() + exception);
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
    logger.setUseParentHandlers(true);
  }
}
