package io.weir.micronaut;

import java.text.MessageFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What Weir logs meanwhile. */
final class LoggedLines extends Handler implements AutoCloseable {
  private final Logger logger = Logger.getLogger("io.weir.micronaut");
  private final List<String> lines = new CopyOnWriteArrayList<>();

  LoggedLines() {
    logger.addHandler(this);
  }

  @Override
  public void publish(LogRecord record) {
    lines.add(
        record.getParameters() == null
            ? record.getMessage()
            : MessageFormat.format(record.getMessage(), record.getParameters()));
  }

  List<String> warnings(String start) {
    return lines.stream().filter(each -> each.startsWith(start)).toList();
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
  }
}
