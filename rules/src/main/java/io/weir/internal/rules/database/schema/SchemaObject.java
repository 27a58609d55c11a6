package io.weir.internal.rules.database.schema;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A table, index or trigger that a statement makes.
 *
 * @param kind the kind of object
 * @param name its name, without the schema
 * @param table the table that it is or belongs to
 */
record SchemaObject(Kind kind, String name, String table) {
  private static final Pattern TABLE =
      Pattern.compile("(?s)CREATE TABLE IF NOT EXISTS weir[.]((\\w+)) .*");
  private static final Pattern INDEX =
      Pattern.compile("(?s)CREATE (?:UNIQUE )?INDEX IF NOT EXISTS (\\w+) ON weir[.](\\w+) .*");
  private static final Pattern TRIGGER =
      Pattern.compile(
          "(?s)CREATE (?:OR REPLACE )?TRIGGER (?:IF NOT EXISTS weir[.])?(\\w+) .*? ON weir[.](\\w+)\\s.*");

  /** The kinds of objects whose absence is noticed. */
  enum Kind {
    TABLE,
    INDEX,
    TRIGGER
  }

  /** Returns what a statement makes; empty of functions, rights and the like. */
  static Optional<SchemaObject> of(String statement) {
    return of(Kind.TABLE, TABLE, statement)
        .or(() -> of(Kind.INDEX, INDEX, statement))
        .or(() -> of(Kind.TRIGGER, TRIGGER, statement));
  }

  private static Optional<SchemaObject> of(Kind kind, Pattern pattern, String statement) {
    Matcher found = pattern.matcher(statement);
    return found.matches()
        ? Optional.of(new SchemaObject(kind, found.group(1), found.group(2)))
        : Optional.empty();
  }
}
