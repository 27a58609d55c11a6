package io.weir.internal.rules.rulebook.column;

import io.weir.internal.rules.database.ForeignRows;
import io.weir.internal.rules.database.StoredRow;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Reads the columns of one row, and reports all that can't be read at once. A column that is blank
 * is as one that is missing.
 *
 * <p>Confine to one thread.
 */
final class ColumnReader {
  /** The time that was read last: rows that one transaction has changed have the same. */
  private static volatile ReadTime lastRead = new ReadTime("", Optional.empty());

  private record ReadTime(String text, Optional<Instant> time) {}

  private final StoredRow row;
  private final RowProblems problems;

  ColumnReader(StoredRow row, RowProblems problems) {
    this.row = row;
    this.problems = problems;
  }

  /**
   * Returns the key of a row with a number as key; 0 for one that the database hasn't numbered yet.
   */
  long id() {
    try {
      return row.key().isEmpty() ? 0 : Long.parseLong(row.key());
    } catch (NumberFormatException none) {
      problems.wrong(
          "id",
          row.column(ForeignRows.ORIGIN).isPresent()
              ? "must be a whole number, 0 to 4,503,599,627,370,495, that no other row has"
              : "must be a whole number");
      return 0;
    }
  }

  Optional<String> text(String column) {
    return row.column(column).map(String::strip).filter(text -> !text.isEmpty());
  }

  String required(String column) {
    Optional<String> text = text(column);
    if (text.isEmpty()) {
      problems.wrong(column, "must be given");
    }
    return text.orElse("");
  }

  /** Reports a text that breaks a rule. */
  private <T> Optional<T> wrong(String column, String rule, String text) {
    problems.wrong(column, rule + ", not '" + RowProblems.shown(text) + "'");
    return Optional.empty();
  }

  Optional<Long> number(String column, long least, long most) {
    return text(column).flatMap(text -> number(column, text, least, most));
  }

  private Optional<Long> number(String column, String text, long least, long most) {
    try {
      long number = Long.parseLong(text);
      if (number >= least && number <= most) {
        return Optional.of(number);
      }
    } catch (NumberFormatException none) {
      // reported below
    }
    return wrong(
        column,
        String.format(Locale.ROOT, "must be a whole number, %,d to %,d", least, most),
        text);
  }

  Optional<Long> requiredNumber(String column, long least, long most) {
    required(column);
    return number(column, least, most);
  }

  /** Reads a text by a method that throws an {@link IllegalArgumentException} with the rule. */
  <T> Optional<T> parsed(String column, Function<String, T> parser) {
    try {
      return text(column).map(parser);
    } catch (IllegalArgumentException none) {
      problems.wrong(column, String.valueOf(none.getMessage()));
      return Optional.empty();
    }
  }

  Optional<Boolean> flag(String column) {
    return text(column)
        .flatMap(
            text ->
                switch (text.toLowerCase(Locale.ROOT)) {
                  case "true" -> Optional.of(true);
                  case "false" -> Optional.of(false);
                  default -> wrong(column, "must be true or false", text);
                });
  }

  <E extends Enum<E>> Optional<E> word(String column, Class<E> words) {
    return text(column).flatMap(text -> word(column, text, words.getEnumConstants()));
  }

  private <E extends Enum<E>> Optional<E> word(String column, String text, E[] words) {
    String wanted = text.toUpperCase(Locale.ROOT);
    for (E each : words) {
      if (each.name().equals(wanted)) {
        return Optional.of(each);
      }
    }
    String all = Arrays.stream(words).map(Enum::name).collect(Collectors.joining(", "));
    return wrong(column, "must be one of " + all, text);
  }

  /** A time without a zone is UTC. */
  Optional<Instant> time(String column) {
    return text(column).flatMap(text -> time(column, text));
  }

  private Optional<Instant> time(String column, String text) {
    ReadTime last = lastRead;
    if (text.equals(last.text)) {
      return last.time;
    }
    try {
      Optional<Instant> time = Optional.of(instant(text.replace(' ', 'T')));
      lastRead = new ReadTime(text, time);
      return time;
    } catch (DateTimeException none) {
      return wrong(column, "must be a time such as 2026-01-31T00:00:00Z", text);
    }
  }

  private static Instant instant(String text) {
    return text.endsWith("Z")
        ? Instant.parse(text)
        : LocalDateTime.parse(text).toInstant(ZoneOffset.UTC);
  }
}
