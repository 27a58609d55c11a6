package io.weir.test.log;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Captures what Weir logs, each line with the exception that it reports, until it is closed. */
public final class LogLines extends Handler implements AutoCloseable {
  private final Logger logger = Logger.getLogger("io.weir");
  private final List<String> lines = new CopyOnWriteArrayList<>();

  public LogLines() {
    logger.addHandler(this);
  }

  public List<String> containing(String part) {
    return lines.stream().filter(line -> line.contains(part)).toList();
  }

  @Override
  public void publish(LogRecord entry) {
    lines.add(entry.getLevel() + " " + entry.getMessage() + " " + entry.getThrown());
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
  }
}
