package io.weir.test.log;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Captures what Weir logs, until it is closed: each line with its level and the exception that it
 * reports. Keeps the lines out of the output of the tests.
 */
public final class LogLines extends Handler implements AutoCloseable {
  private final Logger logger;
  private final List<LogRecord> records = new CopyOnWriteArrayList<>();
  private volatile boolean broken;

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
    return records.stream().map(LogLines::line).toList();
  }

  private static String line(LogRecord entry) {
    String exception = entry.getThrown() == null ? "" : " " + entry.getThrown();
    return entry.getLevel() + " " + entry.getMessage() + exception;
  }

  public List<String> containing(String part) {
    return lines().stream().filter(line -> line.contains(part)).toList();
  }

  /** Returns the messages alone. */
  public List<String> errors() {
    return messages(Level.SEVERE);
  }

  /** Returns the messages alone. */
  public List<String> warnings() {
    return messages(Level.WARNING);
  }

  private List<String> messages(Level level) {
    return records.stream()
        .filter(each -> each.getLevel().equals(level))
        .map(LogRecord::getMessage)
        .toList();
  }

  /** Throws an exception for each line from now on, as if the disk were full. */
  public void breakDown() {
    broken = true;
  }

  @Override
  public void publish(LogRecord entry) {
    records.add(entry);
    if (broken) {
      throw new IllegalStateException("the log is full");
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
    logger.setUseParentHandlers(true);
  }
}
