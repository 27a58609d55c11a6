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
  private static final Pattern CREATE =
      Pattern.compile(
          "(?s)CREATE (?:OR REPLACE |UNIQUE )?(TABLE|INDEX|TRIGGER) (?:IF NOT EXISTS )?"
              + "(?:weir[.])?(\\w+)(?:[^(]*? ON weir[.](\\w+))?\\s.*");

  /** The kinds of objects whose absence is noticed. */
  enum Kind {
    TABLE,
    INDEX,
    TRIGGER
  }

  /** Returns what a statement makes; empty of functions, rights and the like. */
  static Optional<SchemaObject> of(String statement) {
    Matcher found = CREATE.matcher(statement);
    if (!found.matches()) {
      return Optional.empty();
    }
    Kind kind = Kind.valueOf(found.group(1));
    String name = found.group(2);
    return Optional.of(new SchemaObject(kind, name, kind == Kind.TABLE ? name : found.group(3)));
  }
}
