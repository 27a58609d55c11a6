package io.weir.internal.key;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What a logger warns of, for as long as a test listens. */
final class Warnings extends Handler implements AutoCloseable {
  private final Logger logger;
  private final List<String> all = new CopyOnWriteArrayList<>();

  private Warnings(Logger logger) {
    this.logger = logger;
  }

  /** Listens, and keeps the warnings out of the test's output. */
  static Warnings of(String name) {
    Warnings warnings = new Warnings(Logger.getLogger(name));
    warnings.logger.addHandler(warnings);
    warnings.logger.setUseParentHandlers(false);
    return warnings;
  }

  List<String> all() {
    return List.copyOf(all);
  }

  @Override
  public void publish(LogRecord entry) {
    if (entry.getLevel().intValue() >= Level.WARNING.intValue()) {
      all.add(entry.getMessage());
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
