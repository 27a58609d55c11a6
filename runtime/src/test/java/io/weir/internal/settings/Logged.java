package io.weir.internal.settings;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Collects what a class logs, as text, until it is closed. */
public final class Logged extends Handler implements AutoCloseable {
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Logger logger;

  public Logged(Class<?> type) {
    this(type.getName());
  }

  /** Of a logger that isn't called like a class. */
  public Logged(String name) {
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
  public void publish(LogRecord logged) {
    lines.add(logged.getLevel() + " " + logged.getMessage());
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
    logger.setUseParentHandlers(true);
  }
}
