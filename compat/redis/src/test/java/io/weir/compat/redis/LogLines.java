package io.weir.compat.redis;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Captures what Weir logs until it is closed. */
final class LogLines extends Handler implements AutoCloseable {
  private final Logger log = Logger.getLogger("io.weir");
  private volatile boolean broken;
  private final List<LogRecord> records = new CopyOnWriteArrayList<>();

  LogLines() {
    log.addHandler(this);
    log.setUseParentHandlers(false);
  }

  /** Throws an exception for each log record from now on, as if the disk were full. */
  void breakDown() {
    broken = true;
  }

  List<String> errors() {
    return at(Level.SEVERE);
  }

  List<String> warnings() {
    return at(Level.WARNING);
  }

  private List<String> at(Level level) {
    return records.stream()
        .filter(each -> each.getLevel().equals(level))
        .map(LogRecord::getMessage)
        .toList();
  }

  @Override
  public void publish(LogRecord line) {
    records.add(line);
    if (broken) {
      throw new IllegalStateException("the log is full");
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    log.removeHandler(this);
    log.setUseParentHandlers(true);
  }
}
