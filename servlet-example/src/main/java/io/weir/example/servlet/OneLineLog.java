package io.weir.example.servlet;

import java.util.Objects;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;
import java.util.stream.Stream;

/** Logs what went wrong and why, without the stack, so that a newcomer can read it. */
public final class OneLineLog extends Formatter {
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
