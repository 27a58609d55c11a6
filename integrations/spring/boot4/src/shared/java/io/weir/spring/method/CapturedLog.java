package io.weir.spring.method;

import java.text.MessageFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Keeps the messages of one logger until it is closed. */
final class CapturedLog extends Handler implements AutoCloseable {
  private final List<String> messages = new CopyOnWriteArrayList<>();
  private final Logger logger;

  private CapturedLog(Logger logger) {
    this.logger = logger;
  }

  /** Captures all levels, whatever another application of this JVM has set. */
  static CapturedLog of(String name) {
    CapturedLog log = new CapturedLog(Logger.getLogger(name));
    log.logger.setLevel(Level.ALL);
    log.logger.addHandler(log);
    return log;
  }

  List<String> messages() {
    return List.copyOf(messages);
  }

  @Override
  public void publish(LogRecord one) {
    messages.add(
        one.getParameters() == null
            ? one.getMessage()
            : MessageFormat.format(one.getMessage(), one.getParameters()));
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
    logger.setLevel(null);
  }
}
