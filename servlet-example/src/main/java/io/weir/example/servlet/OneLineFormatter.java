package io.weir.example.servlet;

import java.util.Objects;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;
import java.util.stream.Stream;

/** Formats log records in one line, with the root cause but without its stack trace. */
public final class OneLineFormatter extends Formatter {
  @Override
  public String format(LogRecord record) {
    String why =
        Stream.iterate(record.getThrown(), Objects::nonNull, Throwable::getCause)
            .reduce((outer, cause) -> cause)
            .map(root -> ": " + root.getMessage())
            .orElse("");
    return record.getLevel() + " " + formatMessage(record) + why + System.lineSeparator();
  }
}
