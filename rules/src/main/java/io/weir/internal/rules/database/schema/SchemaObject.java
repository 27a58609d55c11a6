package io.weir.internal.rules.database.schema;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A table, column, index or trigger that a statement makes.
 *
 * @param name its name, without the schema
 * @param table the table that it is or belongs to
 */
record SchemaObject(Kind kind, String name, String table) {
  private static final Pattern CREATE =
      Pattern.compile(
          "(?s)CREATE (?:OR REPLACE |UNIQUE )?(TABLE|INDEX|TRIGGER) (?:IF NOT EXISTS )?"
              + "(?:weir[.])?(\\w+)(?:[^(]*? ON weir[.](\\w+))?\\s.*");

  private static final Pattern ADD =
      Pattern.compile("ALTER TABLE weir[.](\\w+) ADD COLUMN IF NOT EXISTS (\\w+) .*");

  /** The kinds of objects whose absence is noticed. */
  enum Kind {
    TABLE,
    COLUMN,
    INDEX,
    TRIGGER
  }

  /** Returns what a statement makes; empty of functions, rights and the like. */
  static Optional<SchemaObject> of(String statement) {
    Matcher added = ADD.matcher(statement);
    if (added.matches()) {
      return Optional.of(new SchemaObject(Kind.COLUMN, added.group(2), added.group(1)));
    }
    Matcher found = CREATE.matcher(statement);
    if (!found.matches()) {
      return Optional.empty();
    }
    Kind kind = Kind.valueOf(found.group(1));
    String name = found.group(2);
    return Optional.of(new SchemaObject(kind, name, kind == Kind.TABLE ? name : found.group(3)));
  }
}
